"""The server's settings. The defaults work on a laptop; unsafe combinations are refused."""

import re
from difflib import get_close_matches
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from pydantic import Field, field_validator, model_validator
from pydantic_settings import BaseSettings, DotEnvSettingsSource, EnvSettingsSource, NoDecode, SettingsConfigDict
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

Network = IPv4Network | IPv6Network

# Only scheme, host and port: it is compared with the Origin that browsers send, and used in the page's CSP.
_ORIGIN = re.compile(r"https?://([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")

# Short ones can be guessed. The characters are those of a bearer token.
_METRICS_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{16,200}")

# A network larger than these would effectively include everybody.
WIDEST_PREFIX = {4: 8, 6: 32}


# Python reads the whole folder of time zones for this, and does not remember it.
_zone_names = cache(available_timezones)

# The settings that are lists of networks.
_NETWORKS = ("tokenless_networks", "trusted_proxies", "login_networks", "webhook_private_targets")


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="COUNTINGHOUSE_", env_file=".env", env_ignore_empty=True, extra="ignore"
    )

    data_dir: Path = Field(default=Path("data"), description="Where the embedded database lives.")
    database_url: str = Field(
        default="", description="sqlite:///PATH or postgresql://…; empty: a file in the data dir."
    )
    replica_url: str = Field(
        default="", description="A streaming replica of the database, which answers lists, totals and exports."
    )
    transaction_pooling: bool = Field(
        default=False, description="Whether the database URL leads to a pooler in transaction mode, such as pgBouncer."
    )
    public_url: str = Field(default="", description="The address that browsers use, e.g. https://desk.example.in.")
    allowed_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="Other web origins whose pages may call the API."
    )
    tokenless_networks: Annotated[tuple[Network, ...], NoDecode] = Field(
        default=(), description="Peer networks whose QR and users calls are taken without a token."
    )
    trusted_proxies: Annotated[tuple[Network, ...], NoDecode] = Field(
        default=(), description="Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed."
    )
    login_networks: Annotated[tuple[Network, ...], NoDecode] = Field(
        default=(), description="The networks that admins may log in from; empty: anywhere."
    )
    webhook_private_targets: Annotated[tuple[Network, ...], NoDecode] = Field(
        default=(), description="Private networks that webhooks may be sent to."
    )
    audit_key: Path | None = Field(
        default=None, description="The file of the key that signs the audit log; empty: audit-key.pem in the data dir."
    )
    audit_checkpoints: Path | None = Field(
        default=None, description="Where signed checkpoints go; empty: audit-checkpoints.jsonl in the data dir."
    )
    session_idle_minutes: int = Field(default=60, ge=1, le=7 * 24 * 60)
    session_hours: int = Field(default=12, ge=1, le=30 * 24)
    key_calls_per_minute: int = Field(
        default=6000, ge=1, le=1_000_000, description="How many calls one API key may make, in each process."
    )
    connections_per_network: int = Field(
        default=256,
        ge=16,
        le=65_536,
        description="How many connections one IPv4 address, or one /64 of IPv6, may have open to each process.",
    )
    numbers_per_minute: int = Field(
        default=30,
        ge=1,
        le=10_000,
        description="How many whole account and mobile numbers an admin may reveal, and how many search for.",
    )
    numbers_per_day: int = Field(default=400, ge=1, le=1_000_000, description="The same in a day.")
    time_zone: str = Field(default="Asia/Kolkata", description="The zone of days and of exported times.")
    log_format: Literal["console", "json"] = "console"
    log_level: Literal["info", "warning"] = Field(
        default="info", description="warning leaves out the line that each request writes."
    )

    metrics_port: int | None = Field(
        default=None, ge=1, le=65535, description="A port of its own for /metrics; empty: none."
    )
    metrics_token: str = Field(default="", description="What a scrape of /metrics has to send as its bearer token.")

    @field_validator("metrics_token")
    @classmethod
    def _long_token(cls, value: str) -> str:
        if value and not _METRICS_TOKEN.fullmatch(value):
            raise ValueError(
                "must have 16 to 200 letters, digits or the characters ._~+/=-; make one with openssl rand -hex 32"
            )
        return value

    @field_validator("allowed_origins", mode="before")
    @classmethod
    def _read_origins(cls, value: object) -> object:
        return _split_commas(value) if isinstance(value, str) else value

    @field_validator(*_NETWORKS, mode="before")
    @classmethod
    def _read_networks(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        networks = tuple(ip_network(part) for part in _split_commas(value))
        if value and not networks:
            # Without any, logins would come from anywhere.
            raise ValueError("names no network")
        return networks

    @field_validator(*_NETWORKS)
    @classmethod
    def _narrow_networks(cls, value: tuple[Network, ...]) -> tuple[Network, ...]:
        for network in value:
            if network.prefixlen < WIDEST_PREFIX[network.version]:
                raise ValueError(f"holds {network}, which is too wide: any stranger may be in it")
        return value

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        # Browsers know only these names: not localtime, which is whatever the machine is set to.
        if value not in _zone_names():
            raise ValueError("must be the name of a time zone, like Asia/Kolkata")
        return value

    @field_validator("replica_url")
    @classmethod
    def _known_replica(cls, value: str) -> str:
        if value and not value.startswith(("postgresql://", "postgres://")):
            raise ValueError("must begin with postgresql://")
        return cls._known_database(value)

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: str) -> str:
        if value and not value.startswith(("sqlite:///", "postgresql://", "postgres://")):
            raise ValueError("must begin with sqlite:/// or postgresql://")
        if value.startswith("sqlite:") and value.removeprefix("sqlite:///") in ("", ":memory:"):
            raise ValueError("must name a file: a database in memory is lost when the server stops")
        try:
            make_url(value or "sqlite://")
        except (ArgumentError, ValueError):
            # The value is left out: it may contain a password, and this message is logged.
            raise ValueError("cannot be read; it looks like postgresql://USER:PASSWORD@HOST:5432/NAME") from None
        return value

    @field_validator("public_url")
    @classmethod
    def _whole_url(cls, value: str) -> str:
        origin = value.removesuffix("/").lower()
        if origin and not _ORIGIN.fullmatch(origin):
            raise ValueError("must be an http(s) address without a path, like https://desk.example.in")
        return _refuse_clear_text(origin)

    @field_validator("allowed_origins")
    @classmethod
    def _named_origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for origin in value:
            if not _ORIGIN.fullmatch(origin.lower()):
                raise ValueError(f"{origin!r} is not an origin; name each one, like https://app.example.in")
        # Browsers send the origin in lower case.
        return tuple(_refuse_clear_text(origin.lower()) for origin in value)

    @model_validator(mode="after")
    def _refuse_unsafe(self) -> Self:
        if self.replica_url and not self.database.startswith("postgresql"):
            raise ValueError("COUNTINGHOUSE_REPLICA_URL needs a PostgreSQL in COUNTINGHOUSE_DATABASE_URL")
        for network in self.tokenless_networks:
            for proxy in self.trusted_proxies:
                if network.version == proxy.version and network.overlaps(proxy):
                    raise ValueError(
                        f"COUNTINGHOUSE_TOKENLESS_NETWORKS holds {network}, and COUNTINGHOUSE_TRUSTED_PROXIES {proxy}: "
                        "every visitor behind that proxy would need no token"
                    )
        return self

    @property
    def has_metrics(self) -> bool:
        return self.metrics_port is not None or self.metrics_token != ""

    @property
    def audit_key_file(self) -> Path:
        return self.audit_key or self.data_dir / "audit-key.pem"

    @property
    def audit_checkpoints_file(self) -> Path:
        return self.audit_checkpoints or self.data_dir / "audit-checkpoints.jsonl"

    @property
    def database(self) -> str:
        """The database URL in SQLAlchemy's format."""
        return with_driver(self.database_url) or f"sqlite:///{self.data_dir / 'countinghouse.db'}"

    @property
    def replica(self) -> str | None:
        return with_driver(self.replica_url) or None


# Of 1. Low enough for LOGIN_NETWORK, and above COUNTINGHOUSE_SERVICE_PORT, which Kubernetes sets.
_ALIKE = 0.77


def misspelt_settings() -> dict[str, str]:
    """Variables that are no settings but look like one, each with that one. Others belong to other programs."""
    prefix, known = "countinghouse_", list(Settings.model_fields)
    given = {**EnvSettingsSource(Settings).env_vars, **DotEnvSettingsSource(Settings).env_vars}
    found: dict[str, str] = {}
    for name in given:
        own = name.lower().removeprefix(prefix)
        if name.lower().startswith(prefix) and own not in known:
            found |= {name.upper(): f"{prefix}{meant}".upper() for meant in get_close_matches(own, known, 1, _ALIKE)}
    return found


def with_driver(url: str) -> str:
    """In SQLAlchemy's format."""
    for spelling in ("postgresql://", "postgres://"):
        if url.startswith(spelling):
            return "postgresql+psycopg://" + url.removeprefix(spelling)
    return url


def _split_commas(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _refuse_clear_text(origin: str) -> str:
    parts = urlsplit(origin)
    if parts.scheme == "http" and not _is_private_host(parts.hostname or ""):
        raise ValueError(f"holds {origin}: plain http would send passwords in the clear; use https")
    return origin


def _is_private_host(host: str) -> bool:
    """Whether the host is this machine or on a private network."""
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_private
