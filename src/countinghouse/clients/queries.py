"""Reading one client."""

from datetime import datetime
from typing import Annotated

from sqlalchemy import bindparam, case, func, select
from typing_extensions import TypedDict

from countinghouse.banks.queries import Bank, bank_of
from countinghouse.claims.arithmetic import newest, newest_purchases, read_sums, rows_of_client
from countinghouse.claims.details import ClientPurchases
from countinghouse.claims.evidence import MOST_CHECKED
from countinghouse.claims.queries import CLAIMS, Claim
from countinghouse.claims.same_account import a_spelling, key_of
from countinghouse.claims.tables import claims
from countinghouse.clients.tables import client_notes
from countinghouse.core.db import Reader, Statement
from countinghouse.core.errors import NotFound
from countinghouse.core.examples import Example, described, example_of
from countinghouse.core.ids import is_id
from countinghouse.core.listing.items import Converted, ObjectQuery, Sum
from countinghouse.core.listing.sql import number, written
from countinghouse.core.masking import WholeNumber
from countinghouse.core.money import rupees
from countinghouse.india.accounts import account_note
from countinghouse.india.mobiles import mobile_note
from countinghouse.users.queries import User, user_fields
from countinghouse.users.tables import users

MOST_SHOWN = 50
# More than anybody reads; the audit log has all of them.
MOST_NOTES = 500


@described
class ClientTotals(TypedDict):
    """In rupees, over all records and not only those shown."""

    invested: Annotated[float, Example(5000)]
    earned: Annotated[float, Example(625)]
    paid: Annotated[float, Example(500)]
    inFlight: Annotated[float, Example(0)]
    claimable: Annotated[float, Example(125)]


@described
class ClientClaims(TypedDict):
    """Only the newest; `count` is the number of all."""

    count: Annotated[int, Example(1)]
    items: list[Claim]


@described
class ClientAccount(TypedDict):
    """`sharedWith` is how many other clients have used it; `accountNote` says what is unusual about its number."""

    accountNo: Annotated[WholeNumber, Example("004512345678")]
    accountNote: Annotated[str, Example("")]
    ifsc: Annotated[str, Example("HDFC0001234")]
    bank: Bank
    claims: Annotated[int, Example(2)]
    paidAmount: Annotated[float, Example(500)]
    firstUsedAt: Annotated[str, Example("2026-11-03T02:52:36.120Z")]
    lastUsedAt: Annotated[str, Example("2026-11-15T02:52:36.120Z")]
    sharedWith: Annotated[int, Example(0)]


@described
class Note(TypedDict):
    _id: Annotated[str, Example("6917e2f4a1b2c3d4e5000006")]
    text: Annotated[str, Example("Called on Monday: the account is her husband's.")]
    by: Annotated[str, Example("asha")]
    at: Annotated[str, Example("2026-11-15T02:52:36.120Z")]


@described
class Client(TypedDict):
    """`mobileNote` says what is unusual about the mobile number."""

    user: Annotated[User, Example(example_of(User) | {"createdAt": "2026-11-01T02:52:36.120Z"})]
    mobileNote: Annotated[str, Example("")]
    totals: ClientTotals
    purchases: Annotated[ClientPurchases, Example({"count": 0, "items": []})]
    claims: ClientClaims
    accounts: list[ClientAccount]
    notes: list[Note]


_USER = ObjectQuery(
    {**user_fields(users), "externalId": users.c.external_id},
    lambda rows: rows.where(users.c.id == bindparam("user_id")),
)
_PURCHASES = newest_purchases(MOST_SHOWN)

# Limited before the joins and before the fields are formatted.
_claims = rows_of_client(claims)
_newest = newest(select(_claims), _claims, MOST_SHOWN).subquery("newest")
_CLAIMS = Statement(CLAIMS.select_rows(_newest).order_by(_newest.c.created_at.desc(), _newest.c.id.desc()))

_number_key, _ifsc_key = key_of(_claims.c.account_no), key_of(_claims.c.ifsc)
_used = (
    select(
        a_spelling(_claims.c.account_no).label("account_no"),
        a_spelling(_claims.c.ifsc).label("ifsc"),
        _number_key.label("number_key"),
        _ifsc_key.label("ifsc_key"),
        func.count().label("claims"),
        func.sum(case((_claims.c.status == written("Paid"), _claims.c.amount_paise), else_=number(0))).label("paid"),
        func.min(_claims.c.created_at).label("first_at"),
        func.max(_claims.c.created_at).label("last_at"),
    )
    .group_by(_number_key, _ifsc_key)
    .order_by(func.max(_claims.c.created_at).desc(), _number_key, _ifsc_key)
    .limit(number(MOST_SHOWN))
    .subquery("used")
)
_by_others = (
    select(claims.c.user_id)
    .where(
        key_of(claims.c.account_no) == _used.c.number_key,
        key_of(claims.c.ifsc) == _used.c.ifsc_key,
        claims.c.user_id != bindparam("user_id"),
    )
    .limit(number(MOST_CHECKED))
    .correlate(_used)
    .subquery("by_others")
)
_other_users = select(func.count(_by_others.c.user_id.distinct())).select_from(_by_others).correlate(_used)
# The account used last comes first.
_ACCOUNTS = ObjectQuery(
    {
        "accountNo": _used.c.account_no,
        "accountNote": Converted(_used.c.account_no, account_note),
        "ifsc": _used.c.ifsc,
        "bank": Converted(_used.c.ifsc, bank_of),
        "claims": _used.c.claims,
        "paidAmount": Sum(_used.c.paid),
        "firstUsedAt": _used.c.first_at,
        "lastUsedAt": _used.c.last_at,
        "sharedWith": _other_users.scalar_subquery(),
    },
    lambda rows: rows.order_by(_used.c.last_at.desc(), _used.c.number_key, _used.c.ifsc_key),
)

_note = client_notes.c
_NOTES = ObjectQuery(
    {"_id": _note.id, "text": _note.text, "by": _note.written_by, "at": _note.written_at},
    lambda rows: (
        rows.where(_note.user_id == bindparam("user_id"))
        .order_by(_note.written_at.desc(), _note.id.desc())
        .limit(number(MOST_NOTES))
    ),
)


async def get_client(reader: Reader, user_id: str, at: datetime) -> Client:
    """Purchases earn until `at`."""
    user = await get_user(reader, user_id)
    known = {"user_id": user_id, "at": at}
    sums = await read_sums(reader, user_id, at)
    newest_claims = [CLAIMS.items.as_dict(cells) for cells in await reader.all(_CLAIMS, known)]
    return {
        "user": user,
        "mobileNote": mobile_note(user["mobile"]),
        "totals": {"invested": rupees(sums.invested), **sums.in_rupees()},
        "purchases": {"count": sums.purchases, "items": await _PURCHASES.read(reader, known)},
        "claims": {"count": sums.claims, "items": newest_claims},
        "accounts": await _ACCOUNTS.read(reader, known),
        "notes": await _NOTES.read(reader, known),
    }


async def get_user(reader: Reader, user_id: str) -> User:
    found: list[User] = await _USER.read(reader, {"user_id": user_id}) if is_id(user_id) else []
    if not found:
        raise NotFound("client_not_found", "There is no such client. Reload the list.")
    return found[0]
