"""What the benchmarks measure: a compiled copy of the server, as an installation is, where this one is not compiled."""

import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from server import compiling
from server.bench.figures import BenchError

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

    All servers that it starts come from that copy as well. Raises :class:`BenchError` where none can be made.
    """
    with tempfile.TemporaryDirectory(prefix="samedeal-bench-") as name:
        folder = Path(name)
        try:
            compiling.compiled_copy(folder)
        except compiling.CompileError as error:
            raise BenchError(str(error)) from error
        process = subprocess.Popen([sys.executable, "-c", _CLI, *arguments], env=compiling.running_from(folder))
        # It stops its servers and ends; until then its folder is needed. A terminal sends Ctrl-C to both.
        handlers = {
            signal.SIGTERM: signal.signal(signal.SIGTERM, lambda signum, _: process.send_signal(signum)),
            signal.SIGINT: signal.signal(signal.SIGINT, signal.SIG_IGN),
        }
        try:
            return process.wait()
        finally:
            for signum, handler in handlers.items():
                signal.signal(signum, handler)
