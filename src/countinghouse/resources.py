"""Every resource, in the order of the menu. Exports, saved views and live updates serve what is listed here."""

from countinghouse.batches import resource as batches
from countinghouse.claims import resource as claims
from countinghouse.clients import resource as clients
from countinghouse.core.resource import ListedRows
from countinghouse.importing import resource as importing
from countinghouse.keys import resource as keys
from countinghouse.policy import resource as policy
from countinghouse.purchases import resource as purchases
from countinghouse.qr import resource as qr
from countinghouse.users import resource as users
from countinghouse.webhooks import resource as webhooks

RESOURCES = (
    claims.RESOURCE,
    purchases.RESOURCE,
    qr.RESOURCE,
    users.RESOURCE,
    batches.RESOURCE,
    clients.RESOURCE,
    policy.RESOURCE,
    webhooks.RESOURCE,
    keys.RESOURCE,
    importing.RESOURCE,
)

LISTED: dict[str, ListedRows] = {each.name: each.rows for each in RESOURCES if each.rows is not None}
# The login is at /.
SCREENS = tuple(each.screen for each in RESOURCES if each.screen is not None)
SCREENS_WITH_VIEWS = tuple(each.name for each in RESOURCES if each.has_views)
LIVE_VERBS = frozenset(str(verb) for each in RESOURCES if each.live_verbs is not None for verb in each.live_verbs)
