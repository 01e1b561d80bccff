"""What the rest of the desk knows of purchases."""

from countinghouse.core.resource import CREATED_AT, Column, ListedRows, Resource
from countinghouse.purchases.queries import PURCHASES, PurchaseQuery
from countinghouse.users.resource import CONTACT_COLUMNS

RESOURCE = Resource(
    "purchases",
    "/Data",
    ListedRows(
        PURCHASES,
        PurchaseQuery,
        (
            CREATED_AT,
            *CONTACT_COLUMNS,
            Column("Invest", "invest_paise", "money"),
            Column("Daily Income", "daily_income_paise", "money"),
            Column("Transaction ID", "upi_id", width=24),
            Column("Claim Type", "claim_type"),
            Column("QR Name", "qr_name"),
        ),
    ),
    has_views=True,
)
