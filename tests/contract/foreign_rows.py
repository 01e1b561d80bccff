"""Rows that another program inserts directly into the database, through the driver alone, in its own time formats."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, NamedTuple

import psycopg

from countinghouse.core.ids import new_id
from tests.contract.rows import STATUSES
from tests.desk import Desk

BASE = datetime(2026, 11, 15, 2, 52, 36, tzinfo=UTC)
COLUMNS = {
    "users": ("id", "created_at", "username", "mobile"),
    "purchases": (
        "id",
        "created_at",
        "user_id",
        "invest_paise",
        "daily_income_paise",
        "upi_id",
        "claim_type",
        "qr_name",
    ),
    "claims": (
        "id",
        "created_at",
        "user_id",
        "purchase_id",
        "amount_paise",
        "account_no",
        "ifsc",
        "address",
        "status",
    ),
}

# The formats in which programs write the same time.
FORMATS: tuple[Callable[[datetime], str], ...] = (
    lambda moment: moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
    lambda moment: moment.strftime("%Y-%m-%d %H:%M:%S.%f+00:00"),
    lambda moment: (moment + timedelta(hours=5, minutes=30)).strftime("%Y-%m-%dT%H:%M:%S.%f+05:30"),
    lambda moment: (moment - timedelta(hours=9)).strftime("%Y-%m-%d %H:%M:%S.%f-09:00"),
    lambda moment: moment.strftime("%Y-%m-%dT%H:%M:%S.%f").rstrip("0").rstrip(".") + "Z",
    lambda moment: moment.strftime("%Y-%m-%d %H:%M:%S.%f").rstrip("0").rstrip("."),
)


class Foreign(NamedTuple):
    """The true creation time of each row, by its id."""

    users: dict[str, datetime]
    purchases: dict[str, datetime]
    claims: dict[str, datetime]


@contextmanager
def foreign_connection(desk: Desk) -> Iterator[Any]:
    """One transaction, committed at the end."""
    if desk.database.file is not None:
        with closing(sqlite3.connect(desk.database.file)) as embedded, embedded:
            yield embedded
        return
    url = desk.database.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url, options="-c timezone=UTC") as connection:
        yield connection


def insert_rows(desk: Desk, connection: Any, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
    columns = COLUMNS[table]
    mark = "?" if desk.database.is_sqlite else "%s"
    names, marks = ", ".join(columns), ", ".join([mark] * len(columns))
    cursor = connection.cursor()
    cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)


def some_moments(random: Random, count: int) -> list[datetime]:
    """Out of order, many within one millisecond, some equal, some at the edge of a day or of a second."""
    near = [BASE + timedelta(microseconds=random.choice((0, 120_000, 120_345, 120_999))) for _ in range(count // 3)]
    close = [BASE + timedelta(microseconds=random.randrange(2_000)) for _ in range(count // 3)]
    midnight = BASE.replace(hour=0, minute=0, second=0)
    edges = [-1_000_000, -1_000, -999, -1, 0, 1, 999, 1_000, 1_000_000, 500_000]
    rest = [
        midnight + timedelta(days=random.randrange(-1, 2), microseconds=random.choice(edges))
        for _ in range(count - len(near) - len(close))
    ]
    moments = [*near, *close, *rest]
    random.shuffle(moments)
    return moments


def write_foreign_rows(desk: Desk, count: int, seed: int = 1) -> Foreign:
    """Inserts this many claims, purchases and users in one transaction."""
    random = Random(seed)  # noqa: S311 - the same rows every time
    written = Foreign(*({new_id(): moment for moment in some_moments(random, count)} for _ in range(3)))
    people, bought = list(written.users), list(written.purchases)

    def formatted(moment: datetime) -> str:
        return random.choice(FORMATS)(moment)

    with foreign_connection(desk) as connection:
        insert_rows(
            desk,
            connection,
            "users",
            [
                (user_id, formatted(at), f"Ananya {n % 3}", f"98{n % 5:08}")
                for n, (user_id, at) in enumerate(written.users.items())
            ],
        )
        insert_rows(
            desk,
            connection,
            "purchases",
            [
                (
                    purchase_id,
                    formatted(at),
                    people[n],
                    100 * (n % 4),
                    25 * (n % 3),
                    f"63{n % 4:010}",
                    "Daily",
                    "Desk 1",
                )
                for n, (purchase_id, at) in enumerate(written.purchases.items())
            ],
        )
        insert_rows(
            desk,
            connection,
            "claims",
            [
                (
                    claim_id,
                    formatted(at),
                    people[n],
                    bought[n],
                    100 * (n % 5),
                    f"00{n % 4:08}",
                    "HDFC0001234",
                    f"{n % 3} MG Road",
                    STATUSES[n % len(STATUSES)],
                )
                for n, (claim_id, at) in enumerate(written.claims.items())
            ],
        )
    return written
