from decimal import Decimal
from typing import Annotated, Any

from fastapi import Request
from pydantic import Field

from countinghouse.admins.dependencies import ActingAdmin, SignedIn, desk_router, needs
from countinghouse.admins.factors.step_up import needs_step_up
from countinghouse.core.db import Transaction
from countinghouse.core.examples import body_examples
from countinghouse.core.http.answers import errors
from countinghouse.core.http.requests import get_database
from countinghouse.core.inputs import Body
from countinghouse.core.listing.query import AskedRupees
from countinghouse.policy.actions import tighten_policy
from countinghouse.policy.queries import OFF, ON, PolicyShown, Rule, show_policy
from countinghouse.policy.resource import CHANGE, READ

router = desk_router("/api/policy", "policy", SignedIn(READ))


class PolicyWish(Body):
    """Omitted rules stay unchanged."""

    model_config = body_examples({"twoPersons": True})

    paid_needs_reference: Annotated[
        bool,
        Field(alias="paidNeedsReference", description="A claim can be marked Paid only with the bank's reference."),
    ] = False
    two_persons: Annotated[
        bool, Field(alias="twoPersons", description="The admin who accepted a claim cannot also mark it Paid.")
    ] = False
    second_look_above: Annotated[
        AskedRupees | None,
        Field(alias="secondLookAbove", description="The same, but only for claims above this amount in rupees."),
    ] = None
    new_payee_needs_second_admin: Annotated[
        bool,
        Field(
            alias="newPayeeNeedsSecondAdmin",
            description="A QR code that pays an address that was never on display needs two admins to display it.",
        ),
    ] = True
    second_factor_required: Annotated[
        bool,
        Field(
            alias="secondFactorRequired",
            description="An admin without a second factor has to set one up before anything else works.",
        ),
    ] = False
    step_up_above: Annotated[
        AskedRupees | None,
        Field(
            alias="stepUpAbove",
            description="Marking a claim above this amount in rupees as Paid needs a fresh second factor.",
        ),
    ] = None

    def wishes(self) -> dict[Rule, str]:
        sent: dict[Rule, Any] = self.model_dump(by_alias=True, exclude_unset=True)  # type: ignore[assignment]
        return {rule: _setting(value) for rule, value in sent.items()}


def _setting(value: bool | Decimal | None) -> str:
    return str(int(value * 100)) if isinstance(value, Decimal) else ON if value else OFF


@router.get("", summary="The rules for all admins, and who set them")
async def read_policy(request: Request) -> PolicyShown:
    return await get_database(request).read(show_policy)


@router.put(
    "",
    summary="Tighten the rules; only the operator can loosen them",
    responses=errors(409),
    dependencies=[*needs(CHANGE), *needs_step_up("policy.change")],
)
async def change_policy(asked: PolicyWish, actor: ActingAdmin, request: Request) -> PolicyShown:
    async def tighten(transaction: Transaction) -> PolicyShown:
        await tighten_policy(transaction, actor, asked.wishes())
        return await show_policy(transaction)

    return await get_database(request).write(tighten)
