"""What can be set from outside: environment variables with the prefix `SAMEDEAL_`, and the command line's flags.

Order: a flag wins over the environment, the environment over the default. A secret may be given as a file instead
(`SAMEDEAL_DATABASE_URL_FILE=/run/secrets/database`), as container platforms hand them out. Every setting is
explained in docs/operations.md, and a test holds that.
"""

import ipaddress
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

PREFIX = "SAMEDEAL_"
SECRETS = ("database_url", "redis_url", "metrics_token")
"""The settings that may be given as a file."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class SettingsError(Exception):
    """A setting is wrong; the message says which and what is wrong with it, but repeats no value."""


def default_data_dir(
    platform: str = sys.platform, environ: Mapping[str, str] = os.environ, home: Path | None = None
) -> Path:
    """Where this platform keeps a program's own data for the present user."""
    home = home or Path.home()
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Samedeal"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "Samedeal"
    return Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "samedeal"


class Settings(BaseSettings):
    """All settings, checked. Make one with `load_settings`, which words what is wrong for people."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", frozen=True)

    host: str = Field("127.0.0.1", min_length=1, description="Address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    workers: int = Field(1, ge=1, le=64, description="Server processes; this version serves with one.")
    public_url: str | None = Field(
        None,
        description="Address in browsers, such as https://cards.example.org; decides Origin and cookies.",
    )
    data_dir: Path = Field(
        default_factory=default_data_dir, description="Folder of the SQLite database; made when missing."
    )
    database_url: str = Field(
        "",
        repr=False,
        description="SQLAlchemy address of the database; by default a SQLite file in the data folder.",
    )
    redis_url: str | None = Field(None, repr=False, description="Address of Valkey or Redis, for several workers.")
    trusted_proxies: Annotated[tuple[Network, ...], NoDecode] = Field(
        (),
        description="Addresses or networks of the proxies whose X-Forwarded-For is believed.",
    )
    log_format: Literal["console", "json"] = Field("console", description="Log lines for people or for programs.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least level that is logged.")
    stock_days: int = Field(
        30, ge=0, le=366, description="Days for which certified deals are kept in stock; 0 finds none by itself."
    )
    prove_seconds: float = Field(
        20, ge=0, le=600, description="Seconds for proving a daily where the stock is empty; 0 takes it unproved."
    )
    metrics_port: int | None = Field(
        None, ge=1, le=65535, description="Port on 127.0.0.1 that serves /metrics; none by default."
    )
    metrics_token: str | None = Field(
        None, min_length=16, repr=False, description="Bearer token that opens /metrics on the main port."
    )
    sandbox: bool = Field(default=False, description="Lifts the rate limits for load tests and says so on every page.")

    @property
    def origin(self) -> str | None:
        """The origin that browsers must come from (`https://cards.example.org`); None: the own Host's."""
        return self.public_url

    @property
    def secure(self) -> bool:
        """Whether browsers reach the server by HTTPS, so that cookies may be marked so."""
        return self.public_url is not None and self.public_url.startswith("https:")

    @property
    def sqlite(self) -> bool:
        """Whether the database is a SQLite file of this machine."""
        return self.database_url.startswith("sqlite")

    def make_data_dir(self) -> None:
        """Make the data folder if the database is to lie in it. Raises OSError where that is not possible."""
        folder = self.data_dir.expanduser().resolve()
        if self.database_url == _sqlite_in(folder):
            folder.mkdir(parents=True, exist_ok=True)

    @field_validator("public_url")
    @classmethod
    def _origin_only(cls, value: str | None) -> str | None:
        """Reduce to scheme, host and port: the pages lie at the root of their host."""
        if value is None:
            return None
        parts = urlsplit(value.strip())
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise ValueError("must be http:// or https:// and a host")
        if parts.path not in ("", "/") or parts.query or parts.fragment:
            raise ValueError("must not have a path: the pages lie at the root of their host")
        if parts.port == {"http": 80, "https": 443}[parts.scheme]:  # browsers leave these out of the Origin
            return f"{parts.scheme}://{parts.netloc.rpartition(':')[0].lower()}"
        return f"{parts.scheme}://{parts.netloc.lower()}"

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: str) -> str:
        """Take the two databases that are tested, with their asynchronous drivers."""
        if value and not value.startswith(("sqlite+aiosqlite:///", "postgresql+asyncpg://")):
            raise ValueError("must start with sqlite+aiosqlite:/// or postgresql+asyncpg://")
        return value

    @field_validator("redis_url")
    @classmethod
    def _known_redis(cls, value: str | None) -> str | None:
        """Take the schemes that redis-py reads."""
        if value is not None and not value.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must start with redis://, rediss:// or unix://")
        return value

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _networks(cls, value: object) -> object:
        """Read `10.0.0.0/8, ::1`; a bare address is a network of one."""
        items: Iterable[object] = value.split(",") if isinstance(value, str) else value  # type: ignore[assignment]
        return tuple(
            ipaddress.ip_network(item.strip()) if isinstance(item, str) else item
            for item in items
            if not isinstance(item, str) or item.strip()
        )

    @model_validator(mode="after")
    def _whole(self) -> "Settings":
        """Fill in what depends on other settings, and check what must fit together."""
        if not self.database_url:
            object.__setattr__(self, "database_url", _sqlite_in(self.data_dir.expanduser().resolve()))
        if self.workers > 1:
            raise ValueError(f"{PREFIX}WORKERS must be 1: this version serves with one process")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags, then the environment, then files named in the environment; nothing else is read."""
        return init_settings, env_settings, _NamedFiles(settings_cls)


def _sqlite_in(folder: Path) -> str:
    """The address of the SQLite database in a data folder."""
    return f"sqlite+aiosqlite:///{(folder / 'samedeal.db').as_posix()}"


class _NamedFiles(PydanticBaseSettingsSource):
    """Secrets from the files that `SAMEDEAL_..._FILE` name."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """The content of the file named for `field_name`, without the line end; None when none is named."""
        variable = f"{PREFIX}{field_name.upper()}"
        named = os.environ.get(f"{variable}_FILE")
        if not named or field_name not in SECRETS:
            return None, field_name, False
        if os.environ.get(variable):
            raise SettingsError(f"{variable} and {variable}_FILE are both set: which one counts?")
        try:
            return Path(named).read_text(encoding="utf-8").rstrip("\r\n"), field_name, False
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"{variable}_FILE cannot be read: {type(error).__name__}") from error

    def __call__(self) -> dict[str, Any]:
        """All secrets that came as files, by setting."""
        found = {name: self.get_field_value(field, name)[0] for name, field in Settings.model_fields.items()}
        return {name: value for name, value in found.items() if value is not None}


def load_settings(**flags: object) -> Settings:
    """The settings of this process; `flags` are those of the command line, None where one was not given.

    Raises `SettingsError`.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    unknown = given.keys() - Settings.model_fields.keys()
    if unknown:
        raise TypeError(f"no such setting: {', '.join(sorted(unknown))}")
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        raise SettingsError("; ".join(_in_words(item) for item in error.errors())) from None


def _in_words(item: Mapping[str, Any]) -> str:
    """One complaint of pydantic, with the name that the person used, without the value: it may be secret."""
    message = str(item["msg"]).removeprefix("Value error, ").replace("Input should be", "must be")
    message = message.partition(", unable to parse")[0].replace("a valid integer", "a whole number")
    return f"{PREFIX}{str(item['loc'][0]).upper()} {message}" if item["loc"] else message


def unknown_variables(environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The variables with our prefix that no setting reads: typing errors most likely, worth a warning.

    Those of the test suite and the benchmarks (`SAMEDEAL_TEST_...`) are not meant for the server, nor is the one that
    `hatch_build.py` reads.
    """
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    known.add(f"{PREFIX}COMPILE")
    known |= {f"{PREFIX}{name.upper()}_FILE" for name in SECRETS}
    ours = (name for name in environ if name.startswith(PREFIX) and not name.startswith(f"{PREFIX}TEST_"))
    return tuple(sorted(name for name in ours if name not in known))
