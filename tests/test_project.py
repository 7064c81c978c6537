"""The project as a whole: what its documents promise exists, and what must not be in it is not."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import server

ROOT = Path(__file__).parent.parent
VERBS = ("run", "test", "check", "bench", "browser", "screenshots", "faults", "docs", "help", "format", "clean")
TEXT = {".py", ".js", ".css", ".html", ".md", ".toml", ".yml", ".yaml", ".json", ".po", ".ini", ".mako", ".svg", ""}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def project_files() -> list[Path]:
    """What belongs to the project: what git tracks or would; without git, all but hidden and made folders."""
    if (ROOT / ".git").exists():
        listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        told = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True)
        return [ROOT / name for name in told.stdout.split("\0") if name and (ROOT / name).is_file()]
    made = {"build", "dist", "node_modules", "data"}
    return [
        path
        for path in ROOT.rglob("*")
        if path.is_file() and not any(part.startswith(".") or part in made for part in path.relative_to(ROOT).parts)
    ]


def texts() -> dict[str, str]:
    """The project's text files by their name from the root."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in project_files()
        if path.suffix in TEXT
    }


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):.*## ", read("Makefile"), re.MULTILINE))


def named_in(pattern: str, *, but: tuple[str, ...] = ()) -> list[str]:
    """The places, as file:line, where `pattern` stands; this file, which must name it, is left out."""
    skipped = {*but, Path(__file__).relative_to(ROOT).as_posix()}
    return [
        f"{name}:{number}"
        for name, text in texts().items()
        if name not in skipped
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(pattern, line)
    ]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_of_make_exists_and_is_explained(verb: str) -> None:
    assert verb in targets()
    if make := shutil.which("make"):
        subprocess.run([make, "--dry-run", verb], cwd=ROOT, check=True, capture_output=True)


def test_make_explains_every_verb() -> None:
    assert targets() == set(VERBS)


def test_the_readme_gives_two_commands_and_both_exist() -> None:
    blocks = re.findall(r"^```\n(.+?)\n```$", read("README.md"), re.MULTILINE | re.DOTALL)
    assert blocks == ["make run", "make check"]
    assert {block.removeprefix("make ") for block in blocks} <= targets()


def test_continuous_integration_runs_the_readmes_test_command() -> None:
    script = ROOT / ".ci" / "run"
    assert re.search(r"^make check\b", script.read_text(encoding="utf-8"), re.MULTILINE)
    assert os.access(script, os.X_OK)
    if bash := shutil.which("bash"):
        subprocess.run([bash, "-n", str(script)], check=True)


@pytest.mark.parametrize(
    "name", [path.relative_to(ROOT).as_posix() for path in project_files() if path.suffix == ".md"]
)
def test_links_in_documents_lead_somewhere(name: str) -> None:
    document = ROOT / name
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (document.parent / link).exists()] == []


def test_every_decision_is_in_the_index_under_its_own_title() -> None:
    pages = sorted(path for path in (ROOT / "docs" / "adr").glob("*.md") if path.name != "README.md")
    rows = re.findall(r"^\| (\d{4}) \| \[(.+)\]\((.+)\) \|$", read("docs/adr/README.md"), re.MULTILINE)
    heads = [path.read_text(encoding="utf-8").splitlines()[0] for path in pages]
    assert [(f"# {number}. {title}", link) for number, title, link in rows] == [
        (head, path.name) for head, path in zip(heads, pages, strict=True)
    ]


def test_the_changelog_begins_with_the_present_version() -> None:
    first = re.search(r"^## (\S+)", read("CHANGELOG.md"), re.MULTILINE)
    assert first is not None
    assert first[1] == server.__version__


def test_every_package_of_the_server_has_its_layer() -> None:
    layers = next(c for c in PROJECT["tool"]["importlinter"]["contracts"] if c["id"] == "layers")["layers"]
    placed = set(re.findall(r"server\.(\w+)", " ".join(layers)))
    modules = {
        path.stem for path in (ROOT / "server").iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    assert modules - {"__init__", "__main__", "_resources"} <= placed


def test_nothing_is_left_for_later() -> None:
    assert named_in(r"\b(TODO|FIXME|XXX|HACK)\b|xfail\(|mark\.xfail|raise NotImplementedError") == []


def test_no_path_of_a_machine_is_named() -> None:
    here = "|".join(re.escape(str(path)) for path in (ROOT, Path.home()) if len(path.parts) > 2)
    somewhere = r"(?<![\w.])/(?:Users|home(?!/ada\b)|root)/\w"
    assert named_in(f"{here}|{somewhere}" if here else somewhere) == []


def test_no_third_party_code_is_in_the_project() -> None:
    suspects = re.compile(
        r"(^|/)(vendor|vendored|third[-_]party|node_modules|bower_components)/|\.min\.(js|css)$|\.whl$"
    )
    assert [name.as_posix() for name in project_files() if suspects.search(name.relative_to(ROOT).as_posix())] == []


def test_the_browser_loads_nothing_from_elsewhere() -> None:
    """A namespace of SVG is a name, not an address; every other address in the client would be a request or a link."""
    client = {
        name: text for name, text in texts().items() if name.startswith("client_web/") and not name.endswith(".po")
    }
    assert client
    addresses = {
        (name, address)
        for name, text in client.items()
        for address in re.findall(r"(?:https?:)?//[\w-]+\.[\w.-]+[/\w]*", text)
    }
    assert {(name, address) for name, address in addresses if not address.startswith("http://www.w3.org/")} == set()


def test_the_clients_modules_import_each_other_only() -> None:
    imports = {
        (name, source)
        for name, text in texts().items()
        if name.startswith("client_web/") and name.endswith(".js")
        for source in re.findall(r"""^\s*(?:import|export)\b[^'"]*?from\s+['"]([^'"]+)['"]""", text, re.MULTILINE)
    }
    assert imports
    assert {(name, source) for name, source in imports if not source.startswith(("./", "../"))} == set()


def test_the_lock_file_pins_the_type_checker_and_names_no_registry() -> None:
    lock = read("package-lock.json")
    assert "://" not in lock
    wanted = json.loads(read("package.json"))["devDependencies"]
    assert list(wanted) == ["typescript"]
    assert json.loads(lock)["packages"]["node_modules/typescript"]["version"] == wanted["typescript"]


def test_what_is_installed_by_users_and_by_developers_agrees() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    assert set(extras) == {"postgres", "redis", "dev"}
    assert {*extras["postgres"], *extras["redis"]} <= set(extras["dev"])
    assert PROJECT["project"]["requires-python"] == ">=3.11"
    assert PROJECT["project"]["scripts"] == {"samedeal": "server.cli:main"}
