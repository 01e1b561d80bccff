from typing import Annotated

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field

from countinghouse.admins.dependencies import ActingAdmin, desk_router
from countinghouse.core.db import Transaction
from countinghouse.core.http.answers import ErrorAnswer
from countinghouse.core.http.requests import get_database
from countinghouse.core.listing.query import AskedRupees
from countinghouse.policy.actions import Setting, tighten_policy
from countinghouse.policy.queries import PolicyShown, Rule, show_policy

router = desk_router("/api/policy", "policy")


class PolicyWish(BaseModel):
    """Omitted rules stay unchanged."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"twoPersons": True}]})

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

    def wishes(self) -> dict[Rule, Setting]:
        above = None if self.second_look_above is None else int(self.second_look_above * 100)
        every: dict[str, tuple[Rule, Setting]] = {
            "paid_needs_reference": ("paidNeedsReference", Setting.switched(self.paid_needs_reference)),
            "two_persons": ("twoPersons", Setting.switched(self.two_persons)),
            "second_look_above": ("secondLookAbove", Setting.above(above)),
            "new_payee_needs_second_admin": (
                "newPayeeNeedsSecondAdmin",
                Setting.switched(self.new_payee_needs_second_admin),
            ),
        }
        return dict(every[name] for name in every if name in self.model_fields_set)


@router.get("", summary="The rules for all admins, and who set them")
async def read_policy(request: Request) -> PolicyShown:
    return await get_database(request).read(show_policy)


@router.put("", summary="Tighten the rules; only the operator can loosen them", responses={409: {"model": ErrorAnswer}})
async def change_policy(asked: PolicyWish, actor: ActingAdmin, request: Request) -> PolicyShown:
    async def tighten(transaction: Transaction) -> PolicyShown:
        await tighten_policy(transaction, actor, asked.wishes())
        return await show_policy(transaction)

    return await get_database(request).write(tighten)
