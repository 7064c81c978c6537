"""What the benchmarks measure: a compiled copy of the server, as an installation is, where this one is not compiled."""

import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from server import compiling
from server.bench.figures import BenchError, StoppedError

_CLI: Final = "from server.cli import main; main()"


def interpreted_because(*, smoke: bool, interpreted: bool) -> str | None:
    """Why the code is measured as it stands, which is not compiled; None where it is to be compiled first."""
    if interpreted:
        return "as asked"
    if smoke:
        return "a smoke judges no speed"
    return compiling.obstacle()


def run_compiled(arguments: Sequence[str]) -> int:
    """Run the command line with these arguments from a compiled copy of this server; its exit code.

    All servers that it starts come from that copy as well. Raises :class:`BenchError` where none can be
    made, or where it is told to stop meanwhile.
    """
    process: subprocess.Popen[bytes] | None = None

    def stop(signum: int, _: object) -> None:
        if process is None:
            raise StoppedError("stopped")
        process.send_signal(signum)  # it stops its servers and ends; until then its folder is needed

    before = signal.signal(signal.SIGTERM, stop)
    try:
        with tempfile.TemporaryDirectory(prefix="samedeal-bench-") as name:
            compiling.compiled_copy(Path(name))
            environment = compiling.running_from(Path(name))
            process = subprocess.Popen([sys.executable, "-c", _CLI, *arguments], env=environment)
            return _ended(process)
    except compiling.CompileError as error:
        raise BenchError(str(error)) from error
    finally:
        signal.signal(signal.SIGTERM, before)


def _ended(process: subprocess.Popen[bytes]) -> int:
    """The exit code of a process once it has ended; it is the one to act on Ctrl-C, which a terminal sends to both."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
