"""Tests what a compiled installation does: ``python -m tests.support.compiled [arguments of pytest]``.

It builds the wheel with ``SAMEDEAL_COMPILE=1``, installs it into a folder for temporary files, and runs pytest with
this module as a plugin. The plugin sees to it that ``server`` comes from there and not from the checkout, and fails the
run where the code under test is not compiled. Tests that exchange parts of that code (mark ``interpreted``) are left
out. Without a compiler nothing is run, which is said loudly, and is a failure where everything must be there
(``SAMEDEAL_TEST_REQUIRE_ALL=1``).
"""

import importlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent.parent
#: Names the folder of the installation under test.
VARIABLE: Final = "SAMEDEAL_TEST_COMPILED"

_BUILD: Final = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


def wheel(folder: Path, compile: str) -> Path:  # noqa: A002 - the name of what is set
    """Build the wheel of the checkout into a folder, with this value of ``SAMEDEAL_COMPILE``."""
    environment = {**os.environ, "SAMEDEAL_COMPILE": compile}
    command = [sys.executable, "-c", _BUILD, str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return folder / done.stdout.split()[-1]


def install(built: Path, folder: Path) -> None:
    """Install a wheel into a folder, without what it depends on."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--no-compile", "--target", str(folder), str(built)], check=True)


def take_over() -> None:
    """Let ``server`` come from the installation under test.

    Raises RuntimeError where a module does not, or is not compiled.
    """
    place = os.environ[VARIABLE]
    sys.path.insert(0, place)
    compiling = importlib.import_module("server.compiling")
    for file in compiling.modules(ROOT):
        name = file.removesuffix(".py").replace("/", ".")
        origin = str(importlib.import_module(name).__file__)
        if not origin.startswith(place) or not origin.endswith((".so", ".pyd")):
            raise RuntimeError(f"{name} is not the compiled one under test: it comes from {origin}")


def pytest_configure() -> None:
    """Go in front of the checkout, which pytest has put first, for the processes that tests start with our path."""
    sys.path.insert(0, os.environ[VARIABLE])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what compiled code cannot do."""
    left_out = [item for item in items if item.get_closest_marker("interpreted")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def main(arguments: list[str]) -> int:
    """Build, install and test; the exit status."""
    from server.compiling import obstacle
    from tests.support.missing import all_required

    if reason := obstacle():
        sys.stdout.write(f"!!! NOT TESTED: the compiled build ({reason}) !!!\n")
        return int(all_required())
    with tempfile.TemporaryDirectory(prefix="samedeal-compiled-") as name:
        place = Path(name, "installed")
        built = wheel(Path(name), "1")
        assert not built.stem.endswith("-none-any"), "a compiled wheel is for one platform only"
        install(built, place)
        path = os.pathsep.join((str(place), str(ROOT)))
        environment = {**os.environ, VARIABLE: str(place), "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
        command = [sys.executable, "-m", "pytest", "-p", "tests.support.compiled", *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
elif VARIABLE in os.environ:
    take_over()
