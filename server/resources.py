"""Where the files beside the code are: the browser client, its catalogues, the migrations.

Where that is depends on how Samedeal was installed: inside the package (`server/_resources`, filled when a wheel
is built) or beside it (a checkout, or an editable install, which imports from a checkout).
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


class ResourceNotFoundError(RuntimeError):
    """A part of the installation is missing; the message names it and every place that was searched."""


def client_web() -> Path:
    """The folder of the browser client; it holds `index.html`. Raises `ResourceNotFoundError`."""
    return locate("client_web")


def locale() -> Path:
    """The folder of the translation catalogues. Raises `ResourceNotFoundError`."""
    return locate("client_web/locale")


def migrations() -> Path:
    """The Alembic script folder; it holds `env.py`. Raises `ResourceNotFoundError`."""
    return locate("migrations")


def locate(name: str, package: Path = _PACKAGE) -> Path:
    """The folder `name` that belongs to the package folder `package`, as an absolute path.

    A folder inside the package wins. The place beside it counts only if that is a checkout (it holds
    `pyproject.toml`): an installed package must not pick up a stranger's folder of that name.
    Raises `ResourceNotFoundError`.
    """
    inside = package / "_resources" / name
    checkout = package.parent
    beside = checkout / name
    if inside.is_dir():
        return inside
    if beside.is_dir() and (checkout / "pyproject.toml").is_file():
        return beside
    raise ResourceNotFoundError(f"{name} is missing from this installation; searched {inside} and {beside}")
