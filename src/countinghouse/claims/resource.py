"""What the rest of the desk knows of claims."""

from countinghouse.claims.queries import CLAIMS, ClaimQuery
from countinghouse.core.resource import CREATED_AT, Column, ListedRows, Resource, Verb
from countinghouse.users.resource import CONTACT_COLUMNS


class ClaimVerb(Verb):
    MOVED = "claim.moved"
    CORRECTED = "claim.corrected"


RESOURCE = Resource(
    "claims",
    "/Withdraw",
    ListedRows(
        CLAIMS,
        ClaimQuery,
        (
            CREATED_AT,
            *CONTACT_COLUMNS,
            Column("Invest", "invest_paise", "money"),
            Column("Amount", "amount_paise", "money"),
            Column("Account No", "account_no", width=22),
            Column("IFSC", "ifsc"),
            Column("Address", "address", width=40),
            Column("Status", "status", width=12),
        ),
    ),
    has_views=True,
    live_verbs=ClaimVerb,
)
