"""Short database work directly on the driver: prebuilt statements, and reads without a transaction.

See docs/decisions/0007.
"""

from countinghouse.core.quick.guarded import Guarded, NewRow
from countinghouse.core.quick.look import AlreadyThere, Change, ConnectionLook, Look
from countinghouse.core.quick.statement import Plan, Statement
from countinghouse.core.quick.within import ConnectionChange
from countinghouse.core.quick.workers import Cost, Quick

__all__ = [
    "AlreadyThere",
    "Change",
    "ConnectionChange",
    "ConnectionLook",
    "Cost",
    "Guarded",
    "Look",
    "NewRow",
    "Plan",
    "Quick",
    "Statement",
]
