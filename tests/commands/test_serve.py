"""``samedeal serve`` as a process: it says where it listens, is alive, and stops cleanly (PROTOCOL 5)."""

import os
import re
import signal
import socket
import subprocess
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.commands.scripts import samedeal_script
from tests.commands.test_docs import PAGE
from tests.support.services import free_port

__all__ = ["samedeal_script"]


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_it_prints_its_address_answers_and_stops_cleanly(
    signum: signal.Signals, samedeal_script: Path, tmp_path: Path
) -> None:
    port = free_port()
    environment = os.environ | {"SAMEDEAL_DATA_DIR": str(tmp_path / "data"), "SAMEDEAL_PORT": "1"}
    process = subprocess.Popen(
        [samedeal_script, "serve", "--port", str(port)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert process.stdout is not None
        ready = process.stdout.readline()
        expected = re.search(r"^\$ samedeal serve\n(.*\n)", PAGE, re.MULTILINE)
        assert expected is not None
        assert ready == expected[1].replace("8000", str(port))  # and so the flag wins over the environment
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=30) as answer:
            assert answer.status == 200
        process.send_signal(signum)
        out, log = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, out) == (0, "")
    assert "Traceback" not in log
    assert re.search(r"server starts .*judging='(compiled|interpreted)'", log.splitlines()[0])
    assert (tmp_path / "data" / "samedeal.db").is_file()


def test_a_wrong_flag_stops_the_start_with_a_line(samedeal_script: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [samedeal_script, "serve", "--workers", "2"],
        env=os.environ | {"SAMEDEAL_DATA_DIR": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("samedeal: SAMEDEAL_WORKERS must be 1")


def test_a_port_in_use_stops_the_start(samedeal_script: Path, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = subprocess.run(
            [samedeal_script, "serve", "--port", str(taken.getsockname()[1])],
            env=os.environ | {"SAMEDEAL_DATA_DIR": str(tmp_path)},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
    assert done.returncode != 0
    assert "ready" not in done.stdout
    assert "address already in use" in done.stderr
    assert "Traceback" not in done.stderr
