"""Refuses to accept or pay a claim whose payee somebody has changed directly in the database.

`audit verify` would find it, but the money would be gone.
"""

from countinghouse.audit.replaying import read_logged
from countinghouse.claims.proof import CLAIM_KIND, payout_details
from countinghouse.claims.rules import CurrentClaim
from countinghouse.core.db import Reader
from countinghouse.core.errors import Conflict

# Not the values: not every role may see them.
_WORDS = {
    "accountNo": "account number",
    "ifsc": "IFSC",
    "amount": "amount",
    "user": "client",
    "address": "address",
    "payoutRound": "number of returned payments",
}


async def check_as_logged(reader: Reader, current: CurrentClaim) -> None:
    """What the log does not tell yet, of a claim that the service inserted directly, is not compared."""
    logged = await read_logged(reader, CLAIM_KIND, current.claim["_id"])
    stored = payout_of(current) | {"payoutRound": current.payout_round}
    differing = [_WORDS[name] for name, value in stored.items() if name in logged and logged[name] != value]
    if differing:
        raise Conflict(
            "claim_changed_directly",
            f"The {' and the '.join(differing)} of this claim {'was' if len(differing) == 1 else 'were'} changed "
            "directly in the database: the audit log says otherwise. Nothing was done. Do not pay it; put it on hold, "
            "and ask your operator to run countinghouse audit verify.",
        )


def payout_of(current: CurrentClaim) -> dict[str, object]:
    claim = current.claim
    return payout_details(
        claim["user"]["_id"], claim["address"], claim["accountNo"], claim["ifsc"], current.amount_paise
    )
