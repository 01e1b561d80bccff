"""What the rest of the desk knows of purchases."""

from functools import partial

from countinghouse.admins.permissions import Role, permission
from countinghouse.core.masking import Holds
from countinghouse.core.numbers import with_letter
from countinghouse.core.resource import CREATED_AT, Column, ListedRows, Resource, Verb
from countinghouse.purchases.findings import FINDINGS
from countinghouse.purchases.queries import PURCHASES, PurchaseQuery
from countinghouse.purchases.tables import purchases
from countinghouse.users.resource import CONTACT_COLUMNS


class PurchaseVerb(Verb):
    CONFIRMED = "purchase.confirmed", "Checked the findings of a purchase"
    REOPENED = "purchase.reopened", "Sent a purchase back to review"


READ = permission("purchases.read", everybody=True)
CHECK = permission("purchases.check", Role.PAYER, Role.REVIEWER)


def _sentences(stored: str) -> str:
    return " ".join(found["sentence"] for found in FINDINGS[stored])


RESOURCE = Resource(
    "purchases",
    "/Data",
    ListedRows(
        PURCHASES,
        PurchaseQuery,
        (
            Column("Purchase No.", "number", convert=partial(with_letter, purchases)),
            CREATED_AT,
            *CONTACT_COLUMNS,
            Column("Invest", "invest_paise", "money"),
            Column("Daily Income", "daily_income_paise", "money"),
            Column("Transaction ID", "upi_id", width=24, holds=Holds.REFERENCE),
            Column("Claim Type", "claim_type"),
            Column("QR Name", "qr_name"),
            Column("Findings", "findings", width=40, convert=_sentences),
            Column("Confirmed", "checked_codes", convert=lambda _: "Yes"),
            Column("Confirmed by", "checked_by"),
            Column("Confirmed at", "checked_at", "moment", 24),
            Column("Confirmed because", "checked_note", width=40),
            Column("Client ID", "client_id", width=26),
            Column("ID", "row_id", width=26),
            Column("External ID", "external_id", width=26, holds=Holds.REFERENCE),
        ),
        more=(purchases.c.user_id.label("client_id"), purchases.c.id.label("row_id"), purchases.c.external_id),
    ),
    has_views=True,
    live_verbs=PurchaseVerb,
)
