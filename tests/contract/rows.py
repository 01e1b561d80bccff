"""Inserts many rows, and works out in Python, from the whole list, which of them a filter should return."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from httpx2 import Response
from sqlalchemy import insert

from countinghouse.claims.queries import CLAIMS as CLAIM_LIST
from countinghouse.claims.tables import claims
from countinghouse.core.ids import new_id
from countinghouse.purchases.queries import PURCHASES as PURCHASE_LIST
from countinghouse.purchases.tables import purchases
from countinghouse.users.queries import USERS as USER_LIST
from countinghouse.users.tables import users
from tests.desk import Desk

CLAIMS, PURCHASES, USERS = LISTS = ("/api/claims/all", "/api/purchases/all", "/api/users")
STATUSES = ("Pending", "Accepted", "Paid", "On hold", "Rejected", "Returned")
CLAIM_TYPES = ("Daily", "Weekly", "Monthly")
QR_NAMES = ("Desk 1", "Desk 2", "डेस्क 3")
FIRST_DAY = datetime(2026, 11, 9, tzinfo=UTC)
DAYS = 5

# Ordinary names, and names with characters that a search could mistake for operators or wildcards.
NAMES = (
    "Ananya Iyer",
    "Ravi Kumar",
    'Bob "Bo" O\'Brien',
    "50% _off\\",
    "अनन्या अय्यर",
    "Zed AND Near* NEAR(x)",
    "Meera-Jo NOT (ravi)",
    "{id}: ^words",
)

SORTS: dict[str, dict[str, tuple[str, ...]]] = {
    CLAIMS: {
        "createdAt": ("createdAt",),
        "username": ("user", "username"),
        "mobile": ("user", "mobile"),
        "invest": ("purchase", "invest"),
        "amount": ("amount",),
        "accountNo": ("accountNo",),
        "ifsc": ("ifsc",),
        "address": ("address",),
        "status": ("status",),
    },
    PURCHASES: {
        "createdAt": ("createdAt",),
        "username": ("user", "username"),
        "mobile": ("user", "mobile"),
        "invest": ("invest",),
        "dailyIncome": ("dailyIncome",),
        "upiId": ("upiId",),
        "claimType": ("claimType",),
        "qrName": ("qrName",),
    },
    USERS: {"createdAt": ("createdAt",), "username": ("username",), "mobile": ("mobile",)},
}

Row = Mapping[str, Any]


def forget_statements() -> None:
    """For tests that change the thresholds: some of them are part of the cached statements."""
    for listing in (CLAIM_LIST, PURCHASE_LIST, USER_LIST):
        listing._statements.clear()
        listing.hidden._statements.clear()


def fill(desk: Desk, count: int, seed: int = 1, statuses: tuple[str, ...] = STATUSES) -> None:
    """Inserts `count` claims on half as many purchases of a quarter as many users.

    Many values repeat, so that ids have to break the ties.
    """
    random = Random(seed)  # noqa: S311 - the same rows every time
    people = [
        {
            "id": new_id(),
            "created_at": some_moment(random),
            "username": NAMES[number % len(NAMES)],
            "mobile": f"0{9_800_000_000 + number * 7:010}",
        }
        for number in range(count // 4 + 1)
    ]
    bought = [
        {
            "id": new_id(),
            "created_at": some_moment(random),
            "user_id": random.choice(people)["id"],
            "invest_paise": 50_000 * random.randrange(1, 9) + random.choice((0, 1, 50)),
            "daily_income_paise": 625 * random.randrange(1, 5),
            "upi_id": f"63{number % 97:010}",
            "claim_type": random.choice(CLAIM_TYPES),
            "qr_name": random.choice(QR_NAMES),
        }
        for number in range(count // 2 + 1)
    ]
    claim_rows = [
        {
            "id": new_id(),
            "created_at": some_moment(random),
            "user_id": (purchase := random.choice(bought))["user_id"],
            "purchase_id": purchase["id"],
            "amount_paise": 10_000 * random.randrange(0, 12) + random.choice((0, 0, 1, 99)),
            "account_no": f"00{number % 53:08}",
            "ifsc": random.choice(("HDFC0001234", "SBIN0000456", "ICIC0000789")),
            "address": f"{random.randrange(20)} MG Road, Kochi",
            "status": random.choice(statuses),
        }
        for number in range(count)
    ]
    with desk.database.writing() as connection:
        connection.execute(insert(users), people)
        connection.execute(insert(purchases), bought)
        connection.execute(insert(claims), claim_rows)


def some_moment(random: Random) -> datetime:
    """Often the very first or very last millisecond of a day."""
    day = FIRST_DAY + timedelta(days=random.randrange(DAYS))
    within = random.choice((0, 86_399_999, 43_200_000, random.randrange(86_400_000)))
    return day + timedelta(milliseconds=within)


def matching(rows: list[Row], asked: Mapping[str, str]) -> list[Row]:
    return [row for row in rows if all(_passes(row, name, value) for name, value in asked.items())]


def value_at(row: Row, path: tuple[str, ...]) -> Any:
    value: Any = row
    for name in path:
        value = value[name]
    return value


def _passes(row: Row, name: str, value: str) -> bool:
    match name:
        case "q":
            return any(value.casefold() in text.casefold() for text in _searched(row))
        case "from":
            return datetime.fromisoformat(row["createdAt"]) >= datetime.fromisoformat(value)
        case "to":
            return datetime.fromisoformat(row["createdAt"]) < datetime.fromisoformat(value)
        case "minAmount":
            return _amount(row) >= Decimal(value)
        case "maxAmount":
            return _amount(row) <= Decimal(value)
        case _:
            return bool(row[name] == value)


def _searched(row: Row) -> list[str]:
    person = row.get("user", row)
    return [
        person["username"],
        person["mobile"],
        *(row[name] for name in ("accountNo", "ifsc", "upiId") if name in row),
    ]


def _amount(row: Row) -> Decimal:
    return Decimal(str(row["amount"] if "amount" in row else row["invest"]))


def next_of(answer: Response) -> str | None:
    found = re.fullmatch(r"<http://desk\.test(.+)>; rel=\"next\"", answer.headers.get("link", ""))
    return found and found.group(1)


def walk(desk: Desk, path: str, asked: Mapping[str, str]) -> list[dict[str, Any]]:
    """Reads every page by following the `next` links."""
    answer = desk.get(path, params=asked)
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()
    while (link := next_of(answer)) is not None:
        answer = desk.get(link)
        assert answer.status_code == 200, answer.text
        assert answer.json(), "a link led to an empty page"
        rows += answer.json()
        assert len(set(ids(rows))) == len(rows), "a row was shown twice"
    return rows


def ids(rows: list[Any]) -> list[str]:
    return [row["_id"] for row in rows]


def walk_in_order(desk: Desk, path: str, asked: Mapping[str, str], expected: list[Row]) -> list[dict[str, Any]]:
    """Reads every page in the requested order, and checks that each expected row appears once."""
    walked = walk(desk, path, asked)
    assert sorted(ids(walked)) == sorted(ids(expected)), asked
    sort = asked["sort"]
    keys = [value_at(row, SORTS[path][sort.removeprefix("-")]) for row in walked]
    assert keys == sorted(keys, reverse=sort.startswith("-")), asked
    return walked


def every_sort(path: str) -> Iterator[str]:
    for sort in SORTS[path]:
        yield from (sort, f"-{sort}")
