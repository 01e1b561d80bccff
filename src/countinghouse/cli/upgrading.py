"""Brings the database to this version: the migrations, the large indexes, and the baseline of the audit log."""

import asyncio
from collections.abc import Callable

from countinghouse.admins.proof import ADMIN_KIND
from countinghouse.audit.baselines import write_baselines
from countinghouse.audit.numbering import set_numbering_back
from countinghouse.claims.proof import CLAIM_KIND, MOVE_KIND, REFERENCE_KIND
from countinghouse.core.db import Database
from countinghouse.core.migrate import SchemaState, migrate, read_schema_state
from countinghouse.keys.proof import KEY_KIND
from countinghouse.policy.proof import POLICY_KIND
from countinghouse.qr.proof import QR_KIND
from countinghouse.webhooks.proof import WEBHOOK_KIND

# What `audit verify` compares with the log.
KINDS = (CLAIM_KIND, MOVE_KIND, REFERENCE_KIND, QR_KIND, POLICY_KIND, ADMIN_KIND, KEY_KIND, WEBHOOK_KIND)


def upgrade(
    database: Database,
    on_applied: Callable[[str], None] | None = None,
    on_recorded: Callable[[str, int], None] = lambda _kind, _records: None,
    *,
    is_being_restored: bool = False,
) -> list[str]:
    """Returns what the operator should know, as sentences."""
    migrate(database, on_applied, is_being_restored=is_being_restored)
    # A newer version that has migrated the database records what its own log needs.
    if asyncio.run(database.read(read_schema_state)) is SchemaState.CURRENT:
        write_baselines(database, KINDS, on_recorded)
        return asyncio.run(set_numbering_back(database))
    return []
