"""Settings: flags over environment over defaults, secrets in files, and words for what is wrong."""

import ipaddress
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from server import settings
from server.settings import Settings, SettingsError, default_data_dir, load_settings, unknown_variables

DOCUMENT = Path(__file__).parent.parent / "docs" / "operations.md"


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No variable of the machine that runs the tests has a say."""
    for name in list(os.environ):
        if name.startswith(settings.PREFIX):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return iter([None])


def test_without_anything_set_it_is_one_process_on_a_file_of_this_machine(tmp_path: Path) -> None:
    found = load_settings()
    assert (found.host, found.port, found.workers) == ("127.0.0.1", 8000, 1)
    assert found.database_url == f"sqlite+aiosqlite:///{(found.data_dir / 'samedeal.db').as_posix()}"
    assert found.sqlite
    assert not found.sandbox
    assert not found.secure


def test_flags_win_over_the_environment_and_it_over_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEDEAL_PORT", "9000")
    monkeypatch.setenv("SAMEDEAL_HOST", "0.0.0.0")
    found = load_settings(port=9001, host=None)
    assert (found.port, found.host) == (9001, "0.0.0.0")


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEDEAL_PUBLIC_URL", "")
    monkeypatch.setenv("SAMEDEAL_PORT", "")
    assert load_settings().public_url is None
    assert load_settings().port == 8000


def test_the_data_folder_holds_the_database(tmp_path: Path) -> None:
    found = load_settings(data_dir=tmp_path / "here")
    assert found.database_url == f"sqlite+aiosqlite:///{(tmp_path / 'here' / 'samedeal.db').as_posix()}"


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {}, "/home/ada/.local/share/samedeal"),
        ("linux", {"XDG_DATA_HOME": "/srv"}, "/srv/samedeal"),
        ("darwin", {}, "/home/ada/Library/Application Support/Samedeal"),
        ("win32", {}, "/home/ada/AppData/Local/Samedeal"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/Samedeal"),
    ],
)
def test_each_platform_has_its_place(platform: str, environ: dict[str, str], expected: str) -> None:
    assert default_data_dir(platform, environ, Path("/home/ada")) == Path(expected)


@pytest.mark.parametrize("name", settings.SECRETS)
def test_a_secret_may_come_as_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    secret = {
        "database_url": "postgresql+asyncpg://u:p@db/samedeal",
        "redis_url": "redis://:p@cache",
        "metrics_token": "0123456789abcdef",
    }[name]
    (tmp_path / "secret").write_text(secret + "\n", encoding="utf-8")
    monkeypatch.setenv(f"SAMEDEAL_{name.upper()}_FILE", str(tmp_path / "secret"))
    assert getattr(load_settings(), name) == secret
    monkeypatch.setenv(f"SAMEDEAL_{name.upper()}", secret)
    with pytest.raises(SettingsError, match="both set"):
        load_settings()


def test_a_secret_file_that_cannot_be_read_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SAMEDEAL_REDIS_URL_FILE", str(tmp_path / "none"))
    with pytest.raises(SettingsError, match="SAMEDEAL_REDIS_URL_FILE cannot be read: FileNotFoundError"):
        load_settings()


def test_what_is_no_secret_does_not_come_as_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "port").write_text("9000", encoding="utf-8")
    monkeypatch.setenv("SAMEDEAL_PORT_FILE", str(tmp_path / "port"))
    assert load_settings().port == 8000
    assert unknown_variables() == ("SAMEDEAL_PORT_FILE",)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://cards.example.org/", "https://cards.example.org"),
        ("https://Cards.Example.org:443", "https://cards.example.org"),
        ("http://192.168.1.5:8000", "http://192.168.1.5:8000"),
        ("http://cards.example.org:80", "http://cards.example.org"),
    ],
)
def test_the_public_address_is_kept_as_browsers_write_an_origin(given: str, kept: str) -> None:
    found = load_settings(public_url=given)
    assert found.origin == kept
    assert found.secure is given.startswith("https")


@pytest.mark.parametrize(
    "wrong", ["cards.example.org", "ftp://x", "https://", "https://x/play", "https://x/?a=1", "https://me@x"]
)
def test_a_wrong_public_address_is_refused(wrong: str) -> None:
    with pytest.raises(SettingsError, match="SAMEDEAL_PUBLIC_URL must"):
        load_settings(public_url=wrong)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("database_url", "mysql://root:canary@db/x"),
        ("database_url", "postgresql://u:canary@db/x"),
        ("redis_url", "http://canary"),
        ("metrics_token", "canary"),
        ("port", "canary"),
        ("port", "65536"),
        ("workers", "0"),
        ("log_format", "canary"),
        ("trusted_proxies", "10.0.0.0/8, canary"),
    ],
)
def test_a_wrong_value_is_named_but_not_repeated(monkeypatch: pytest.MonkeyPatch, name: str, wrong: str) -> None:
    monkeypatch.setenv(f"SAMEDEAL_{name.upper()}", wrong)
    with pytest.raises(SettingsError, match=f"SAMEDEAL_{name.upper()} ") as refused:
        load_settings()
    if name != "trusted_proxies":  # no secret, and the word helps
        assert "canary" not in str(refused.value)


def test_several_workers_are_refused_plainly() -> None:
    with pytest.raises(SettingsError, match=r"^SAMEDEAL_WORKERS must be 1: this version serves with one process$"):
        load_settings(workers=2, database_url="postgresql+asyncpg://db/samedeal", redis_url="redis://cache")


def test_a_number_that_is_none_is_told_in_our_words() -> None:
    with pytest.raises(SettingsError, match=r"^SAMEDEAL_PORT must be a whole number$"):
        load_settings(port="eight thousand")


def test_trusted_proxies_are_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEDEAL_TRUSTED_PROXIES", "10.0.0.0/8, ::1,")
    expected = (ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("::1/128"))
    assert load_settings().trusted_proxies == expected
    assert load_settings(trusted_proxies=expected[:1]).trusted_proxies == expected[:1]


def test_secrets_do_not_show() -> None:
    found = load_settings(
        database_url="postgresql+asyncpg://u:canary@db/x",
        redis_url="redis://:canary@c",
        metrics_token="canary-canary-canary",
    )
    assert "canary" not in repr(found) + str(found)


def test_a_typing_error_is_noticed() -> None:
    environ = {"SAMEDEAL_DATABSE_URL": "x", "SAMEDEAL_PORT": "1", "SAMEDEAL_REDIS_URL_FILE": "x", "HOME": "/"}
    assert unknown_variables(environ) == ("SAMEDEAL_DATABSE_URL",)


def test_a_flag_that_no_setting_knows_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(TypeError, match="colour"):
        load_settings(colour="red")


def test_settings_do_not_change() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load_settings().port = 1  # type: ignore[misc]


@pytest.mark.parametrize("name", list(Settings.model_fields))
def test_every_setting_is_documented(name: str) -> None:
    rows = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith("| `SAMEDEAL_")]
    documented = [row for row in rows if row.startswith(f"| `SAMEDEAL_{name.upper()}` |")]
    assert len(documented) == 1
    assert ("`_FILE`" in documented[0]) is (name in settings.SECRETS)


def test_no_setting_is_documented_that_does_not_exist() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    rows = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `SAMEDEAL_")]
    assert rows == [f"SAMEDEAL_{name.upper()}" for name in Settings.model_fields]
