"""Opens connections to PostgreSQL, with the settings that a request or a command needs."""

from threading import Event
from typing import Any

from sqlalchemy import URL

from countinghouse.core.db.connection import DeadlineConnection

# A lock that is not granted in five seconds is reported to the admin instead of hanging the request.
LOCK_WAIT_MILLISECONDS = 5_000
# A little longer than any request waits, so that PostgreSQL cancels an abandoned statement.
STATEMENT_MILLISECONDS = 8_000
# A process that stands still, for example because its machine does, keeps its locks until PostgreSQL ends its
# transaction. Moves of claims by all other processes wait for them.
STANDSTILL_MILLISECONDS = 10_000
# A command may compute for long between two statements, and an export waits for who reads it.
ABANDONED_TRANSACTION_MILLISECONDS = 300_000
WHILE_SOMEBODY_READS = f"idle_in_transaction_session_timeout = {ABANDONED_TRANSACTION_MILLISECONDS}"
# How soon PostgreSQL stops a statement whose connection was closed, for example by a client that stopped an export.
ABANDONED_STATEMENT_MILLISECONDS = 1_000
CONNECT_SECONDS = 2
# How long a new connection waits until the pooler has one to PostgreSQL for it.
POOLER_SECONDS = 4.0
# TCP keepalive, on both sides. PostgreSQL's own default is two hours: until then, each connection that the network has
# lost would count against `max_connections` and keep its locks.
KEEPALIVE_IDLE_SECONDS, KEEPALIVE_INTERVAL_SECONDS, KEEPALIVE_COUNT = 5, 2, 3
CLIENT_ENCODING = "utf8"
DEAD_PEER_SECONDS = KEEPALIVE_IDLE_SECONDS + KEEPALIVE_INTERVAL_SECONDS * KEEPALIVE_COUNT


def libpq_address(url: URL) -> str:
    """SQLAlchemy leaves a space in a name or password as it is. PostgreSQL's library refuses it, and quotes the text
    around it, which may be the password."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False).replace(" ", "%20")


async def connect(conninfo: str, closing: Event, *, is_patient: bool, is_pooled: bool) -> DeadlineConnection:
    """`is_pooled`: a pooler gives each transaction another connection to PostgreSQL, so that nothing outlives it."""
    settings = _settings(is_patient)
    options = "" if is_pooled else _session_options(settings)
    connection = await DeadlineConnection.connect(conninfo, autocommit=True, options=options, **_NETWORK)
    connection.closing = closing
    if is_pooled:
        connection.is_pooled = True
        connection.transaction_settings = tuple(f"{name} = {value}" for name, value in settings.items())
        # For the driver's own cursor.
        connection.prepare_threshold = None
        connection.silence_seconds = None if is_patient else POOLER_SECONDS
        # The one setting that pgBouncer keeps for each of its clients. The driver reads it when it decodes a time,
        # which may be after the transaction.
        try:
            await connection.command("SET timezone = 'UTC'")
        except BaseException:
            connection.close_now()
            raise
    return connection


def _settings(is_patient: bool) -> dict[str, str | int]:
    return {
        "lock_timeout": LOCK_WAIT_MILLISECONDS,
        "statement_timeout": 0 if is_patient else STATEMENT_MILLISECONDS,
        "idle_in_transaction_session_timeout": ABANDONED_TRANSACTION_MILLISECONDS
        if is_patient
        else STANDSTILL_MILLISECONDS,
        "client_connection_check_interval": ABANDONED_STATEMENT_MILLISECONDS,
        # A page is too short for JIT compilation or for caching join lookups to pay off.
        "jit": "off",
        "enable_memoize": "off",
    }


def _session_options(settings: dict[str, str | int]) -> str:
    """A pooler refuses them, and has its own settings for the network between it and PostgreSQL."""
    keepalives = {
        "tcp_keepalives_idle": KEEPALIVE_IDLE_SECONDS,
        "tcp_keepalives_interval": KEEPALIVE_INTERVAL_SECONDS,
        "tcp_keepalives_count": KEEPALIVE_COUNT,
        "tcp_user_timeout": DEAD_PEER_SECONDS * 1000,
    }
    session = {**settings, "timezone": "UTC", **keepalives}
    return " ".join(f"-c {name}={value}" for name, value in session.items())


_NETWORK: dict[str, Any] = {
    "connect_timeout": CONNECT_SECONDS,
    "application_name": "countinghouse",
    # Whatever the role, the database or the environment says.
    "client_encoding": CLIENT_ENCODING,
    # The operating system detects a peer that vanished without closing the connection, on idle ones too.
    "keepalives": 1,
    "keepalives_idle": KEEPALIVE_IDLE_SECONDS,
    "keepalives_interval": KEEPALIVE_INTERVAL_SECONDS,
    "keepalives_count": KEEPALIVE_COUNT,
    "tcp_user_timeout": DEAD_PEER_SECONDS * 1000,
}
