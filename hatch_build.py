"""The build hook of the wheel: it compiles what judges a move (server/compiling.py, docs/adr/0016).

``SAMEDEAL_COMPILE`` says whether: ``auto``, the default, where a C compiler and the headers of Python are there; ``0``
never; ``1`` always, so that a build that cannot compile fails. An editable install is never compiled: a compiled module
would hide its source from whoever edits that.
"""

import importlib.util
import os
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE = "SAMEDEAL_COMPILE"
NEEDED = ["mypy>=1.14", "setuptools>=71.1"]


def compiling(root: str) -> ModuleType:
    """The module of the server that compiles, without the rest of the server."""
    spec = importlib.util.spec_from_file_location("samedeal_compiling", Path(root, "server", "compiling.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def wanted() -> str:
    """``auto``, ``0`` or ``1``. Raises ValueError for anything else."""
    value = os.environ.get(VARIABLE) or "auto"
    if value not in ("auto", "0", "1"):
        raise ValueError(f"{VARIABLE} must be auto, 0 or 1")
    return value


class CompilingHook(BuildHookInterface):  # type: ignore[type-arg]  # the class of its configuration does not matter
    """Puts the extension modules beside their sources in the wheel."""

    _made: tempfile.TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """What the build environment needs beside hatchling. (Nothing tells here whether the build is editable.)"""
        if wanted() == "0" or (wanted() == "auto" and compiling(self.root).no_compiler() is not None):
            return []
        return NEEDED

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless the build is editable. Raises where ``SAMEDEAL_COMPILE=1`` and it cannot be done."""
        if version == "editable" or wanted() == "0":
            return
        tools = compiling(self.root)
        self._made = tempfile.TemporaryDirectory(prefix="samedeal-wheel-")
        try:
            if wanted() == "auto" and (reason := tools.obstacle()):
                raise tools.CompileError(reason)
            files = tools.compile_into(Path(self._made.name), Path(self.root))
        except tools.CompileError as error:
            if wanted() == "1":
                raise
            self.app.display_warning(f"Samedeal is not compiled, it judges with interpreted code: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(Path(self._made.name, file)): file for file in files})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the wheel has taken in."""
        if self._made is not None:
            self._made.cleanup()
