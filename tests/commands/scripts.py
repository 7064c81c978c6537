"""Running the installed ``samedeal`` script as a shell does."""

import os
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.support.missing import missing

_SCRIPTS = Path(sysconfig.get_path("scripts"))


@pytest.fixture(scope="session")
def samedeal_script() -> Path:
    """The installed script; skips where the project is not installed."""
    script = _SCRIPTS / "samedeal"
    if not script.is_file():
        missing("the samedeal script", "pip install -e .")
    return script


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell line in a folder, with the script on the path and no terminal."""
    environment = os.environ | {"PATH": f"{_SCRIPTS}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
