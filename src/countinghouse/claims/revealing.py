"""The whole numbers of a claim, for admins who see only their last digits."""

from pydantic import with_config
from typing_extensions import TypedDict

from countinghouse.audit.actions import Actor, record
from countinghouse.claims.resource import ClaimVerb
from countinghouse.claims.rules import get_current_claim
from countinghouse.core.db import Transaction
from countinghouse.core.masking import Plain


@with_config(json_schema_extra={"examples": [{"accountNo": "004512345678", "mobile": "9805756092"}]})
class RevealedClaim(TypedDict):
    accountNo: Plain
    mobile: Plain


async def reveal_claim(transaction: Transaction, actor: Actor, claim_id: str) -> RevealedClaim:
    """The audit log says who asked, and not the numbers."""
    claim = (await get_current_claim(transaction, claim_id)).claim
    await record(transaction, actor, ClaimVerb.REVEALED, claim_id)
    return {"accountNo": claim["accountNo"], "mobile": claim["user"]["mobile"]}
