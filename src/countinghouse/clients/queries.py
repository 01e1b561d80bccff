"""Reading one client."""

from datetime import datetime

from pydantic import JsonValue, with_config
from sqlalchemy import bindparam, case, func, select
from typing_extensions import TypedDict

from countinghouse.banks.queries import BANK_EXAMPLE, BANKS, Bank
from countinghouse.claims.arithmetic import claimable_paise, newest_purchases, read_bought, read_claimed, read_purchases
from countinghouse.claims.client_rows import newest_of, rows_of_client
from countinghouse.claims.details import ClientPurchases
from countinghouse.claims.evidence import MOST_CHECKED
from countinghouse.claims.queries import CLAIM_EXAMPLE, CLAIMS, Claim, read_claim
from countinghouse.claims.tables import claims
from countinghouse.clients.tables import client_notes
from countinghouse.core.db import Reader, Statement
from countinghouse.core.errors import NotFound
from countinghouse.core.ids import is_id
from countinghouse.core.listing.sql import number, written
from countinghouse.core.money import rupees
from countinghouse.core.times import iso, to_moment
from countinghouse.india.accounts import account_note
from countinghouse.india.mobiles import mobile_note
from countinghouse.users.queries import User
from countinghouse.users.tables import users

MOST_SHOWN = 50
# More than anybody reads; the audit log has all of them.
MOST_NOTES = 500

_USER: dict[str, JsonValue] = {
    "_id": "6917e2f4a1b2c3d4e5000001",
    "createdAt": "2026-11-01T02:52:36.120Z",
    "username": "Ananya Iyer",
    "mobile": "9805756092",
}
_TOTALS: dict[str, JsonValue] = {"invested": 5000, "earned": 625, "paid": 500, "inFlight": 0, "claimable": 125}
_ACCOUNT: dict[str, JsonValue] = {
    "accountNo": "004512345678",
    "accountNote": "",
    "ifsc": "HDFC0001234",
    "bank": BANK_EXAMPLE,
    "claims": 2,
    "paidAmount": 500,
    "firstUsedAt": "2026-11-03T02:52:36.120Z",
    "lastUsedAt": "2026-11-15T02:52:36.120Z",
    "sharedWith": 0,
}
_NOTE: dict[str, JsonValue] = {
    "_id": "6917e2f4a1b2c3d4e5000006",
    "text": "Called on Monday: the account is her husband's.",
    "by": "asha",
    "at": "2026-11-15T02:52:36.120Z",
}
_CLAIMS: dict[str, JsonValue] = {"count": 1, "items": [CLAIM_EXAMPLE]}


@with_config(json_schema_extra={"examples": [_TOTALS]})
class ClientTotals(TypedDict):
    """In rupees, over all records and not only those shown."""

    invested: float
    earned: float
    paid: float
    inFlight: float
    claimable: float


@with_config(json_schema_extra={"examples": [_CLAIMS]})
class ClientClaims(TypedDict):
    """Only the newest; `count` is the number of all."""

    count: int
    items: list[Claim]


@with_config(json_schema_extra={"examples": [_ACCOUNT]})
class ClientAccount(TypedDict):
    """`sharedWith` is how many other clients have used it; `accountNote` says what is unusual about its number."""

    accountNo: str
    accountNote: str
    ifsc: str
    bank: Bank
    claims: int
    paidAmount: float
    firstUsedAt: str
    lastUsedAt: str
    sharedWith: int


@with_config(json_schema_extra={"examples": [_NOTE]})
class Note(TypedDict):
    _id: str
    text: str
    by: str
    at: str


@with_config(
    json_schema_extra={
        "examples": [
            {
                "user": _USER,
                "mobileNote": "",
                "totals": _TOTALS,
                "purchases": {"count": 0, "items": []},
                "claims": _CLAIMS,
                "accounts": [_ACCOUNT],
                "notes": [_NOTE],
            }
        ]
    }
)
class Client(TypedDict):
    """`mobileNote` says what is unusual about the mobile number."""

    user: User
    mobileNote: str
    totals: ClientTotals
    purchases: ClientPurchases
    claims: ClientClaims
    accounts: list[ClientAccount]
    notes: list[Note]


_PURCHASES_SHOWN = newest_purchases(MOST_SHOWN)


async def get_client(reader: Reader, user_id: str, at: datetime) -> Client:
    """Purchases earn until `at`."""
    user = await get_user(reader, user_id)
    bought = await read_bought(reader, user_id, at)
    claimed = await read_claimed(reader, user_id)
    return {
        "user": user,
        "mobileNote": mobile_note(user["mobile"]),
        "totals": {
            "invested": rupees(bought.invested_paise),
            "earned": rupees(bought.earned_paise),
            "paid": rupees(claimed.paid_paise),
            "inFlight": rupees(claimed.in_flight_paise),
            "claimable": rupees(claimable_paise(bought, claimed)),
        },
        "purchases": {"count": bought.purchases, "items": await read_purchases(reader, _PURCHASES_SHOWN, user_id, at)},
        "claims": {"count": claimed.claims, "items": await _read_claims(reader, user_id)},
        "accounts": await _read_accounts(reader, user_id),
        "notes": await _read_notes(reader, user_id),
    }


_ONE_USER = Statement(
    select(users.c.id, users.c.created_at, users.c.username, users.c.mobile).where(users.c.id == bindparam("user_id"))
)


async def get_user(reader: Reader, user_id: str) -> User:
    found = await reader.all(_ONE_USER, {"user_id": user_id}) if is_id(user_id) else []
    if not found:
        raise NotFound("client_not_found", "There is no such client. Reload the list.")
    found_id, created_at, username, mobile = found[0]
    return {"_id": found_id, "createdAt": iso(to_moment(created_at)), "username": username, "mobile": mobile}


# Limited before the joins and before the fields are formatted.
_newest = newest_of(rows_of_client(claims), MOST_SHOWN).subquery("newest")
_CLAIMS_SHOWN = Statement(CLAIMS.select_rows(_newest).order_by(_newest.c.created_at.desc(), _newest.c.id.desc()))


async def _read_claims(reader: Reader, user_id: str) -> list[Claim]:
    return [read_claim(cells) for cells in await reader.all(_CLAIMS_SHOWN, {"user_id": user_id})]


_own = rows_of_client(claims)
_used = (
    select(
        _own.c.account_no,
        _own.c.ifsc,
        func.count().label("claims"),
        func.sum(case((_own.c.status == written("Paid"), _own.c.amount_paise), else_=number(0))).label("paid_paise"),
        func.min(_own.c.created_at).label("first_used_at"),
        func.max(_own.c.created_at).label("last_used_at"),
    )
    .group_by(_own.c.account_no, _own.c.ifsc)
    .order_by(func.max(_own.c.created_at).desc(), _own.c.account_no, _own.c.ifsc)
    .limit(number(MOST_SHOWN))
    .subquery("used")
)
_by_others = (
    select(claims.c.user_id)
    .where(
        claims.c.account_no == _used.c.account_no,
        claims.c.ifsc == _used.c.ifsc,
        claims.c.user_id != bindparam("user_id"),
    )
    .limit(number(MOST_CHECKED))
    .correlate(_used)
    .subquery("by_others")
)
_ACCOUNTS = Statement(
    select(
        _used,
        select(func.count(_by_others.c.user_id.distinct())).select_from(_by_others).correlate(_used).scalar_subquery(),
    ).order_by(_used.c.last_used_at.desc(), _used.c.account_no, _used.c.ifsc)
)


async def _read_accounts(reader: Reader, user_id: str) -> list[ClientAccount]:
    """The account used last comes first."""
    return [
        {
            "accountNo": account_no,
            "accountNote": account_note(account_no),
            "ifsc": ifsc,
            "bank": BANKS[ifsc],
            "claims": count,
            "paidAmount": rupees(int(paid_paise)),
            "firstUsedAt": iso(to_moment(first_used_at)),
            "lastUsedAt": iso(to_moment(last_used_at)),
            "sharedWith": shared_with,
        }
        for account_no, ifsc, count, paid_paise, first_used_at, last_used_at, shared_with in await reader.all(
            _ACCOUNTS, {"user_id": user_id}
        )
    ]


_NOTES = Statement(
    select(client_notes.c.id, client_notes.c.text, client_notes.c.written_by, client_notes.c.written_at)
    .where(client_notes.c.user_id == bindparam("user_id"))
    .order_by(client_notes.c.written_at.desc(), client_notes.c.id.desc())
    .limit(number(MOST_NOTES))
)


async def _read_notes(reader: Reader, user_id: str) -> list[Note]:
    return [
        {"_id": note_id, "text": text, "by": by, "at": iso(to_moment(at))}
        for note_id, text, by, at in await reader.all(_NOTES, {"user_id": user_id})
    ]
