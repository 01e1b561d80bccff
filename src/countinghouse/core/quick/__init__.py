"""Short database work directly on the driver: prebuilt statements, and reads without a transaction.

See docs/decisions/0007.
"""

from countinghouse.core.quick.guarded import Guarded, NewRow
from countinghouse.core.quick.reader import AlreadyThere, Change, ConnectionReader, Reader
from countinghouse.core.quick.statement import Plan, Statement
from countinghouse.core.quick.within import ConnectionChange
from countinghouse.core.quick.workers import Cost, Quick

__all__ = [
    "AlreadyThere",
    "Change",
    "ConnectionChange",
    "ConnectionReader",
    "Cost",
    "Guarded",
    "NewRow",
    "Plan",
    "Quick",
    "Reader",
    "Statement",
]
