"""Every resource. Exports, saved views and live updates serve what is listed here."""

from countinghouse.admins import resource as admins
from countinghouse.admins.factors import resource as account
from countinghouse.auditing import resource as auditing
from countinghouse.batches import resource as batches
from countinghouse.claims import resource as claims
from countinghouse.clients import resource as clients
from countinghouse.core.resource import ListedRows
from countinghouse.home import resource as home
from countinghouse.importing import resource as importing
from countinghouse.keys import resource as keys
from countinghouse.monitoring import resource as monitoring
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
    home.RESOURCE,
    batches.RESOURCE,
    clients.RESOURCE,
    policy.RESOURCE,
    webhooks.RESOURCE,
    admins.RESOURCE,
    admins.INVITATIONS,
    keys.RESOURCE,
    importing.RESOURCE,
    auditing.RESOURCE,
    account.RESOURCE,
    monitoring.RESOURCE,
)

LISTED: dict[str, ListedRows] = {each.name: each.rows for each in RESOURCES if each.rows is not None}
# The login is at /.
SCREENS = tuple(path for each in RESOURCES for path in (each.screen, each.paper) if path is not None)
SCREENS_WITH_VIEWS = tuple(each.name for each in RESOURCES if each.has_views)
LIVE_VERBS = frozenset(str(verb) for each in RESOURCES if each.live_verbs is not None for verb in each.live_verbs)
