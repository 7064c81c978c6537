"""The files beside the code are found from a checkout, from an editable install and from a wheel."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from server import resources
from server.resources import ResourceNotFoundError, locate

ROOT = Path(__file__).parent.parent
PARTS = {
    "client_web": (resources.client_web, "index.html"),
    "migrations": (resources.migrations, "env.py"),
    "client_web/locale": (resources.locale, ""),
}
TELL = """
from server import resources
for find in (resources.client_web, resources.migrations, resources.locale):
    print(find())
"""


def build(folder: Path, kind: str) -> Path:
    """Build a distribution of the checkout, not compiled, with its own build backend; `kind` is wheel or editable."""
    call = f"from hatchling import build; print(build.build_{kind}({str(folder)!r}))"
    environment = {**os.environ, "SAMEDEAL_COMPILE": "0"}
    told = subprocess.run(
        [sys.executable, "-c", call], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    return folder / told.stdout.split()[-1]


def install(wheel: Path, folder: Path) -> Path:
    """Install `wheel`, without what it depends on, into a new environment; return its Python."""
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, str(wheel)], check=True)
    return python


def found_by(python: Path, folder: Path) -> list[Path]:
    """What an installed Samedeal finds when it is started in another folder."""
    told = subprocess.run([python, "-I", "-c", TELL], cwd=folder, check=True, capture_output=True, text=True)
    return [Path(line) for line in told.stdout.splitlines()]


def files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}


@pytest.mark.parametrize("name", PARTS)
def test_a_checkout_has_them_beside_the_package(name: str) -> None:
    find, file = PARTS[name]
    assert find() == ROOT / name
    assert (find() / file).exists()


@pytest.mark.slow
def test_a_wheel_carries_them_inside_the_package(tmp_path: Path) -> None:
    python = install(build(tmp_path, "wheel"), tmp_path / "venv")
    client_web, migrations, locale = found_by(python, tmp_path)
    for installed, original in ((client_web, ROOT / "client_web"), (migrations, ROOT / "migrations")):
        assert installed.is_relative_to(tmp_path / "venv")
        assert files(installed) == files(original)
    assert locale == client_web / "locale"


@pytest.mark.slow
def test_an_editable_install_uses_those_of_its_checkout(tmp_path: Path) -> None:
    python = install(build(tmp_path, "editable"), tmp_path / "venv")
    assert found_by(python, tmp_path) == [ROOT / "client_web", ROOT / "migrations", ROOT / "client_web/locale"]


def test_the_place_inside_the_package_wins(tmp_path: Path) -> None:
    package = tmp_path / "server"
    for folder in (package / "_resources" / "migrations", tmp_path / "migrations"):
        folder.mkdir(parents=True)
    (tmp_path / "pyproject.toml").touch()
    assert locate("migrations", package) == package / "_resources" / "migrations"


def test_a_strangers_folder_beside_an_installed_package_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "migrations").mkdir()
    with pytest.raises(ResourceNotFoundError, match="migrations is missing"):
        locate("migrations", tmp_path / "server")


def test_a_missing_part_is_named_with_the_places_searched(tmp_path: Path) -> None:
    with pytest.raises(ResourceNotFoundError) as refused:
        locate("client_web", tmp_path / "server")
    assert str(tmp_path / "server" / "_resources" / "client_web") in str(refused.value)
