"""The container files fit the project: settings that exist, files that are sent, no root, health that is asked."""

import fnmatch
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from server.settings import SECRETS, Settings

ROOT = Path(__file__).parent.parent
SETTINGS = {f"SAMEDEAL_{name.upper()}" for name in Settings.model_fields}
SETTINGS |= {f"SAMEDEAL_{name.upper()}_FILE" for name in SECRETS}

Instruction = tuple[str, str]


def stages() -> list[list[Instruction]]:
    """The Dockerfile as stages of (instruction, rest); continued lines are joined, comments dropped."""
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    found: list[list[Instruction]] = []
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        word, _, rest = line.partition(" ")
        if word == "FROM":
            found.append([])
        found[-1].append((word, rest.strip()))
    return found


def given(stage: list[Instruction], word: str) -> list[str]:
    return [rest for name, rest in stage if name == word]


def environment() -> dict[str, str]:
    pairs = [pair for rest in given(stages()[-1], "ENV") for pair in rest.split()]
    return dict(pair.split("=", 1) for pair in pairs)


def compose() -> dict[str, Any]:
    loaded = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def sent(path: str) -> bool:
    """Whether .dockerignore lets `path`, something at the top of the checkout, go to the builder."""
    allowed = True
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        rule = line.removeprefix("!")
        if line and not line.startswith("#") and fnmatch.fnmatch(path, rule):
            allowed = line.startswith("!")
    return allowed


def test_every_instruction_is_one() -> None:
    known = {"FROM", "RUN", "COPY", "ENV", "USER", "WORKDIR", "VOLUME", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL", "CMD"}
    words = {word for stage in stages() for word, _ in stage}
    assert words <= known
    assert len(stages()) == 2


def test_the_base_is_named_with_a_version_that_the_project_supports() -> None:
    for stage in stages():
        image = re.match(r"python:(3\.\d+)-slim( AS build)?$", given(stage, "FROM")[0])
        assert image is not None
        assert tuple(map(int, image[1].split("."))) >= (3, 11)


def test_all_that_is_copied_exists_and_is_sent_to_the_builder() -> None:
    sources = [source for rest in given(stages()[0], "COPY") for source in rest.split()[:-1]]
    assert {"pyproject.toml", "server", "client_web", "migrations"} <= set(sources)
    for source in sources:
        assert (ROOT / source).exists()
        assert sent(source)


def test_all_that_the_wheel_is_made_of_is_copied() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["packages"], *wheel["force-include"], project["project"]["readme"]}
    needed |= {*project["project"]["license-files"], "hatch_build.py"}
    assert needed <= {source for rest in given(stages()[0], "COPY") for source in rest.split()[:-1]}


def test_the_image_is_compiled_and_its_compiler_stays_behind() -> None:
    build, final = stages()
    (installing,) = [rest for rest in given(build, "RUN") if "pip install" in rest]
    assert installing.startswith("SAMEDEAL_COMPILE=1 ")
    (packages,) = [rest for rest in given(build, "RUN") if "apt-get" in rest]
    assert {"gcc", "libc6-dev", "--no-install-recommends"} <= set(packages.split())
    assert packages.endswith("rm -rf /var/lib/apt/lists/*")
    assert not any("apt-get" in rest for rest in given(final, "RUN"))


@pytest.mark.parametrize("path", [".git", ".venv", "data", "tests", "docs", "node_modules", ".env"])
def test_what_the_image_does_not_need_stays_away_from_the_builder(path: str) -> None:
    assert not sent(path)


def test_the_server_does_not_run_as_root_and_starts_without_a_shell() -> None:
    final = stages()[-1]
    words = [word for word, _ in final]
    assert given(final, "USER") == ["samedeal"]
    assert words.index("USER") < words.index("CMD")
    assert json.loads(given(final, "CMD")[0]) == ["samedeal", "serve"]


def test_the_image_is_asked_whether_it_is_ready() -> None:
    (check,) = given(stages()[-1], "HEALTHCHECK")
    command = json.loads(check.partition("CMD ")[2])
    assert command[0] == "python"
    compile(command[2], "HEALTHCHECK", "exec")
    assert "/readyz" in command[2]


def test_the_image_sets_what_the_server_reads() -> None:
    ours = {name: value for name, value in environment().items() if name.startswith("SAMEDEAL_")}
    assert ours.keys() <= SETTINGS
    checked = Settings(**{name.removeprefix("SAMEDEAL_").lower(): value for name, value in ours.items()})  # type: ignore[arg-type]
    assert given(stages()[-1], "EXPOSE") == [str(checked.port)]
    assert given(stages()[-1], "VOLUME") == [str(checked.data_dir)]


@pytest.mark.parametrize("name", ["samedeal", "postgres", "valkey"])
def test_compose_knows_the_three_services(name: str) -> None:
    service = compose()["services"][name]
    allowed = {
        "build", "image", "restart", "init", "read_only", "tmpfs", "cap_drop", "security_opt", "profiles",
        "stop_grace_period", "ports", "environment", "volumes", "depends_on", "healthcheck", "command", "shm_size",
    }  # fmt: skip
    assert service.keys() <= allowed
    tag = str(service["image"]).rpartition(":")[2]
    assert tag not in ("", "latest")


def test_compose_starts_the_server_alone_by_default() -> None:
    services = compose()["services"]
    assert [name for name, service in services.items() if "profiles" not in service] == ["samedeal"]
    assert all(needed["required"] is False for needed in services["samedeal"]["depends_on"].values())


def test_compose_waits_for_health_where_health_is_told() -> None:
    services = compose()["services"]
    for name, needed in services["samedeal"]["depends_on"].items():
        assert needed["condition"] == "service_healthy"
        check = services[name]["healthcheck"]
        assert check["test"][0] in ("CMD", "CMD-SHELL")
        assert {"interval", "timeout", "retries"} <= check.keys()


def test_compose_sets_what_the_server_reads() -> None:
    passed = compose()["services"]["samedeal"]["environment"]
    assert passed.keys() <= SETTINGS
    for name, value in passed.items():
        assert re.fullmatch(r"\$\{" + name + r":-[^}]*\}", value)


def test_compose_keeps_data_in_volumes_that_it_declares() -> None:
    file = compose()
    mounts = dict(mount.split(":") for service in file["services"].values() for mount in service.get("volumes", []))
    assert mounts.keys() == file["volumes"].keys()
    assert mounts["data"] == environment()["SAMEDEAL_DATA_DIR"]


def test_compose_publishes_the_servers_port_to_this_machine_only() -> None:
    (port,) = compose()["services"]["samedeal"]["ports"]
    assert port == "${SAMEDEAL_PUBLISH:-127.0.0.1:8000}:" + environment()["SAMEDEAL_PORT"]
