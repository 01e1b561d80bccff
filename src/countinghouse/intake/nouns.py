"""What the intake knows of each noun: its rows, its table, and which columns a second delivery is compared with."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Table, bindparam, select

from countinghouse.claims.tables import claims
from countinghouse.core.db import Statement
from countinghouse.core.listing.sql import among
from countinghouse.core.resource import Verb
from countinghouse.intake.rows import ClaimRow, IntakeRow, PurchaseRow, UserRow
from countinghouse.keys.queries import Scope
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users


class IntakeVerb(Verb):
    """Corrections of claims are among the verbs of claims, because open screens hear of them."""

    USER_ADDED = "user.added", "Added a user"
    USER_CORRECTED = "user.corrected", "Corrected a user"
    PURCHASE_ADDED = "purchase.added", "Added a purchase"
    PROOF_ADDED = "purchase.proof_added", "Added the payment proof of a purchase"
    CLAIM_ADDED = "claim.added", "Added a claim"


@dataclass(frozen=True, slots=True)
class Noun:
    """`columns` maps the name of a field in the API to its column."""

    name: str
    one: str
    scope: Scope
    row: type[IntakeRow]
    table: Table
    columns: Mapping[str, str]
    added: IntakeVerb
    by_external_id: Statement
    by_id: Statement
    # The numbers of rows; None for a noun without.
    numbers: Statement | None


def make_noun(
    one: str, scope: Scope, row: type[IntakeRow], table: Table, columns: Mapping[str, str], added: IntakeVerb
) -> Noun:
    stored = select(table.c.id, table.c.external_id, table.c.created_at, *(table.c[name] for name in columns.values()))
    return Noun(
        table.name,
        one,
        scope,
        row,
        table,
        columns,
        added,
        Statement(stored.where(among(table.c.external_id, bindparam("ids")))),
        Statement(stored.where(among(table.c.id, bindparam("ids")))),
        Statement(select(table.c.id, table.c.number).where(among(table.c.id, bindparam("ids"))))
        if "number" in table.c
        else None,
    )


USERS = make_noun(
    "user",
    "users:write",
    UserRow,
    users,
    {"username": "username", "mobile": "mobile"},
    IntakeVerb.USER_ADDED,
)
PURCHASES = make_noun(
    "purchase",
    "purchases:write",
    PurchaseRow,
    purchases,
    {
        "user": "user_id",
        "invest": "invest_paise",
        "dailyIncome": "daily_income_paise",
        "upiId": "upi_id",
        "claimType": "claim_type",
        "qrName": "qr_name",
    },
    IntakeVerb.PURCHASE_ADDED,
)
CLAIMS = make_noun(
    "claim",
    "claims:write",
    ClaimRow,
    claims,
    {
        "user": "user_id",
        "purchase": "purchase_id",
        "amount": "amount_paise",
        "accountNo": "account_no",
        "ifsc": "ifsc",
        "address": "address",
    },
    IntakeVerb.CLAIM_ADDED,
)
NOUNS = (USERS, PURCHASES, CLAIMS)
