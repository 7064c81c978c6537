"""The compiled build: what judges a move, made into extension modules by mypyc (docs/adr/0016).

A wheel has them where a C compiler was found when it was built, beside the source that they were made of; Python takes
an extension module before a source file of the same name. A checkout and an editable install never have them. Nothing
but the standard library is needed to import this file: the build hook loads it where nothing else is installed.
"""

import compileall
import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

#: What is compiled, as patterns in the folder that holds ``server``: what judges a move and brings it to its answer.
PATTERNS: Final = (
    "server/core/*.py",
    "server/games/*.py",
    "server/play/attempt.py",
    "server/actions/table.py",
    "server/live/*.py",
    "server/net/frames.py",
)

#: The name of the compiled whole: the modules share one extension, ``samedeal__mypyc``.
GROUP: Final = "samedeal"

#: A module that is compiled wherever any is.
_WITNESS: Final = "server.play.attempt"

_PACKAGE: Final = Path(__file__).resolve().parent
_LEFT_OUT: Final = shutil.ignore_patterns("__pycache__", "_resources", *(f"*{s}" for s in (".so", ".pyd")))


class CompileError(RuntimeError):
    """The modules could not be compiled; the message holds what the compiler said."""


def compiled() -> bool:
    """Whether the code that judges in this process is compiled."""
    spec = importlib.util.find_spec(_WITNESS)
    return spec is not None and str(spec.origin).endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES))


def no_compiler() -> str | None:
    """What keeps this machine from compiling C for this Python, in a few words; None where nothing does."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC")
    if not command or shutil.which(str(command).split()[0]) is None:
        return "no C compiler"
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        return "no Python headers"
    return None


def obstacle() -> str | None:
    """What keeps this installation from compiling, in a few words; None where nothing does."""
    for name in ("mypyc", "setuptools"):
        if importlib.util.find_spec(name) is None:
            return f"{name} is not installed"
    return no_compiler()


def modules(source: Path) -> list[str]:
    """The files to compile, as paths in the folder ``source``, which holds ``server``."""
    found = sorted(path for pattern in PATTERNS for path in source.glob(pattern) if path.name != "__init__.py")
    return [path.relative_to(source).as_posix() for path in found]


def compile_into(target: Path, source: Path = _PACKAGE.parent) -> list[str]:
    """Compile the ``server`` in the folder ``source`` and lay the extension modules below ``target``.

    They are built in a folder for temporary files, and ``source`` stays as it is. Returns their paths in ``target``.
    Raises :class:`CompileError`.
    """
    with tempfile.TemporaryDirectory(prefix="samedeal-compile-") as name:
        work = Path(name)
        shutil.copytree(source / "server", work / "server", ignore=_LEFT_OUT)
        files = modules(work)
        # setuptools and mypy read the settings of the project in whose folder they stand: here there are none.
        done = subprocess.run(
            [sys.executable, "-P", str(Path(__file__).resolve()), *files],
            cwd=work,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))
        expected = [f"{GROUP}__mypyc{suffix}", *(file.removesuffix(".py") + suffix for file in files)]
        if done.returncode or not all((work / file).is_file() for file in expected):
            raise CompileError(f"the modules cannot be compiled:\n{done.stdout}")
        for file in expected:
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(work / file, target / file)
    return expected


def compiled_copy(target: Path) -> None:
    """Lay a compiled copy of the running server into the folder ``target``, which may stand in ``PYTHONPATH``.

    What belongs to it beside the code is linked. Raises :class:`CompileError`.
    """
    from server import resources

    shutil.copytree(_PACKAGE, target / "server", ignore=_LEFT_OUT)
    beside = target / "server" / "_resources"
    beside.mkdir()
    for folder in (resources.client_web(), resources.migrations()):
        (beside / folder.name).symlink_to(folder, target_is_directory=True)
    compile_into(target)
    compileall.compile_dir(target / "server", quiet=1)  # as an installation does


def running_from(folder: Path) -> dict[str, str]:
    """The environment of a process that takes the server from ``folder``, wherever it is started."""
    return {**os.environ, "PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1"}


def _build(files: Sequence[str]) -> None:
    """Compile in the present folder, each extension module beside its source."""
    from mypyc.build import mypycify
    from setuptools import setup

    # Types are checked elsewhere. Libraries are not looked at, so that it makes no difference which are installed (none
    # where a wheel is built for the first time); nor are complaints of what needs them, and is not compiled.
    elsewhere = ["--no-site-packages", "--ignore-missing-imports", "--follow-imports=silent"]
    checked = ["--config-file=", *elsewhere, *files]
    extensions = mypycify(checked, opt_level="3", debug_level="0", group_name=GROUP, target_dir="build")
    setup(name=GROUP, packages=[], ext_modules=extensions, script_args=["--quiet", "build_ext", "--inplace"])


if __name__ == "__main__":
    _build(sys.argv[1:])
