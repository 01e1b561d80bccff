"""What the rest of the desk knows of claims."""

from countinghouse.admins.permissions import permission
from countinghouse.claims import export_columns
from countinghouse.claims.queries import CLAIMS, ClaimQuery
from countinghouse.core.masking import Holds
from countinghouse.core.resource import CREATED_AT, Column, ListedRows, Resource, Verb
from countinghouse.users.resource import CONTACT_COLUMNS


class ClaimVerb(Verb):
    MOVED = "claim.moved", "Moved a claim"
    CORRECTED = "claim.corrected", "Corrected a claim"
    REVEALED = "claim.revealed", "Revealed the numbers of a claim"


READ = permission("claims.read", everybody=True)
REVEAL = permission("claims.reveal", everybody=True)


RESOURCE = Resource(
    "claims",
    "/Withdraw",
    ListedRows(
        CLAIMS,
        ClaimQuery,
        (
            export_columns.NUMBER,
            CREATED_AT,
            *CONTACT_COLUMNS,
            Column("Invest", "invest_paise", "money"),
            Column("Amount", "amount_paise", "money"),
            Column("Account No", "account_no", width=22, holds=Holds.NUMBER),
            Column("IFSC", "ifsc"),
            export_columns.BANK,
            Column("Address", "address", width=40),
            Column("Status", "status", width=12),
            *export_columns.COLUMNS,
        ),
        more=export_columns.SELECTED,
    ),
    has_views=True,
    live_verbs=ClaimVerb,
    paper="/Receipt",
)
