"""The long form of each drill that starts its own databases, machines or disks."""

from collections.abc import Callable

from drills.database_restarts import WAYS, disturb
from drills.disk_full import run_full
from drills.litestream import replicate_continuously
from drills.long_forms import Found
from drills.machines_lost import lose_machines
from drills.pgbackrest import protect_continuously
from drills.silent_network import go_silent

TROUBLES = 100
SILENCES = 10
# Three groups of twenty, and an admin who checks their own writes.
GROUPS_OF_CLIENTS = 3
MACHINES_LOST = {"leaders": 20, "replicas": 20, "desks": 40, "upgrades": 5}
FULL_DISKS = 10


def database_restarts() -> Found:
    outcome = disturb(WAYS, times=TROUBLES, is_long=True)
    return f"restarts, kills and freezes of the database, {outcome}", outcome.faults


def silent_network() -> Found:
    outcome = go_silent(silences=SILENCES, forgets=SILENCES, is_long=True)
    return f"silent network, {outcome}", outcome.faults


def machines_lost(*, is_pooled: bool) -> Found:
    outcome = lose_machines(**MACHINES_LOST, groups=GROUPS_OF_CLIENTS, is_pooled=is_pooled)
    return f"machines lost{' behind pgBouncer' if is_pooled else ''}, {outcome}", outcome.faults


def disk_full(engine: str) -> Found:
    outcome = run_full(engine, times=FULL_DISKS, is_long=True)
    return f"disk full, {outcome}", outcome.faults


OWN_DRILLS: dict[str, dict[str, Callable[[], Found]]] = {
    "SQLite": {"disk_full": lambda: disk_full("sqlite"), "litestream": replicate_continuously},
    "PostgreSQL": {
        "database_restarts": database_restarts,
        "silent_network": silent_network,
        "disk_full": lambda: disk_full("postgresql"),
        "pgbackrest": protect_continuously,
        "machines_lost": lambda: machines_lost(is_pooled=False),
        "machines_lost_pooled": lambda: machines_lost(is_pooled=True),
    },
}
