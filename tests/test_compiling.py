"""What is compiled and when (docs/adr/0016). That compiled code judges the same is tested by `make compiled`."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from server import compiling, resources
from server.compiling import CompileError, compile_into, compiled, compiled_copy, no_compiler, obstacle
from tests.support.missing import missing

ROOT = Path(__file__).parent.parent
EXTENSIONS = (".so", ".pyd")
#: A command that is nowhere.
NO_COMPILER = {"CC": "no-such-compiler"}


def call(what: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Ask the build backend for something in the checkout; the last line that it prints is the answer."""
    code = f"import sys; from hatchling import build; print(build.{what}(*sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def extensions(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.suffix in EXTENSIONS]


def is_pure(wheel: Path) -> bool:
    """Whether a wheel is for every platform, and holds nothing compiled."""
    names = zipfile.ZipFile(wheel).namelist()
    holds = [name for name in names if name.endswith(EXTENSIONS)]
    assert wheel.stem.endswith("-none-any") is not bool(holds)
    return not holds


def test_a_checkout_is_not_compiled() -> None:
    assert not compiled()
    assert extensions(ROOT / "server") == []


def test_what_judges_is_compiled_and_nothing_else() -> None:
    found = compiling.modules(ROOT)
    assert {"server/core/rules.py", "server/games/pyramid.py", "server/play/attempt.py"} <= set(found)
    assert {"server/actions/table.py", "server/live/hub.py", "server/net/frames.py"} <= set(found)
    assert {file.split("/")[1] for file in found} == {"core", "games", "play", "actions", "live", "net"}
    assert not any(file.endswith(("messages.py", "codec.py", "entries.py")) for file in found)  # msgspec makes those
    assert not any(file.endswith("__init__.py") for file in found)


@pytest.mark.parametrize(
    ("asked", "environment"),
    [("wheel", {"SAMEDEAL_COMPILE": "0"}), ("wheel", NO_COMPILER), ("editable", {"SAMEDEAL_COMPILE": "1"})],
)
def test_some_builds_are_pure(asked: str, environment: dict[str, str], tmp_path: Path) -> None:
    """Where it is not wanted, where it cannot be done, and where it would hide the source from who edits it."""
    done = call(f"build_{asked}", str(tmp_path), **environment)
    assert done.returncode == 0, done.stderr
    assert is_pure(tmp_path / done.stdout.split()[-1])
    assert extensions(ROOT / "server") == []
    said = "Samedeal is not compiled, it judges with interpreted code: no C compiler"
    assert (said in done.stdout + done.stderr) is (environment == NO_COMPILER)


@pytest.mark.parametrize(("value", "complaint"), [("1", "cannot be compiled"), ("yes", "must be auto, 0 or 1")])
def test_a_build_fails_where_it_must_compile_and_cannot(value: str, complaint: str, tmp_path: Path) -> None:
    done = call("build_wheel", str(tmp_path), SAMEDEAL_COMPILE=value, **NO_COMPILER)
    assert done.returncode != 0
    assert complaint in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("environment", "needed"),
    [({"SAMEDEAL_COMPILE": "0"}, False), (NO_COMPILER, False), ({"SAMEDEAL_COMPILE": "1", **NO_COMPILER}, True)],
)
def test_tools_are_asked_for_where_they_are_used(environment: dict[str, str], needed: bool) -> None:
    done = call("get_requires_for_build_wheel", **environment)
    assert ("mypy" in done.stdout, "setuptools" in done.stdout) == (needed, needed)


def test_a_source_is_compiled_elsewhere_and_left_as_it_is(tmp_path: Path) -> None:
    if reason := obstacle():
        missing("a C compiler for Python", reason)
    source, target = tmp_path / "source", tmp_path / "target"
    for folder in ("server", "server/core"):
        (source / folder).mkdir(parents=True)
        (source / folder / "__init__.py").touch()
    (source / "server/core/sums.py").write_text("def double(number: int) -> int:\n    return number + number\n")
    before = sorted(source.rglob("*"))
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    assert compile_into(target, source) == [f"samedeal__mypyc{suffix}", f"server/core/sums{suffix}"]
    assert sorted(source.rglob("*")) == before
    code = "from server.core import sums; print(sums.double(21), sums.__file__)"
    environment = {**compiling.running_from(target), "PYTHONPATH": f"{target}{os.pathsep}{source}"}
    (target / "server/__init__.py").touch()
    told = subprocess.check_output([sys.executable, "-c", code], cwd=source, env=environment, encoding="utf-8")
    assert told.split() == ["42", str(target / f"server/core/sums{suffix}")]


def test_what_is_not_compiled_may_need_what_is_not_installed(tmp_path: Path) -> None:
    """A wheel is built before what it depends on is installed; with that it once failed, and was not compiled."""
    if reason := obstacle():
        missing("a C compiler for Python", reason)
    (tmp_path / "server/core").mkdir(parents=True)
    for folder in ("server", "server/core"):
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / "server/words.py").write_text(
        "from nowhere import Base, Number\n\nclass Word(Base, frozen=True):\n    length: Number = 0\n"
    )
    (tmp_path / "server/core/sums.py").write_text(
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from server.words import Word\n\n"
        'def length(word: "Word") -> int:\n    return int(word.length)\n'
    )
    assert len(compile_into(tmp_path / "target", tmp_path)) == 2


def test_what_the_compiler_says_is_told(tmp_path: Path) -> None:
    (tmp_path / "server/core").mkdir(parents=True)
    (tmp_path / "server/core/sums.py").write_text("def double(number: int) -> str:\n    return number\n")
    with pytest.raises(CompileError, match="Incompatible return value"):
        compile_into(tmp_path / "target", tmp_path)


def test_a_machine_without_a_compiler_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", NO_COMPILER["CC"])
    assert no_compiler() == "no C compiler"


def test_a_machine_without_headers_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", sys.executable)
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    assert no_compiler() == "no Python headers"


def test_a_copy_has_what_belongs_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "compile_into", lambda _: [])
    compiled_copy(tmp_path)
    for name, original in (("client_web", resources.client_web()), ("migrations", resources.migrations())):
        assert resources.locate(name, tmp_path / "server").resolve() == original
    code = "import server; print(server.__file__)"
    environment = compiling.running_from(tmp_path)
    told = subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, env=environment, encoding="utf-8")
    assert Path(told.strip()) == tmp_path / "server/__init__.py"
