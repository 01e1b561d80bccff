"""Rows as the intake takes them, with what only an import can bring: dates, and claims that were decided before."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from countinghouse.claims.lifecycle import Status
from countinghouse.claims.references import LONGEST_TYPED, normalised_reference
from countinghouse.core.errors import InvalidInput
from countinghouse.core.inputs import PlainLines
from countinghouse.importing.nouns import NounName
from countinghouse.intake.rows import ClaimRow, IntakeRow, PurchaseRow, UserRow, more_than_nothing
from countinghouse.qr.actions import NewQr


def _checked_reference(typed: str) -> str:
    try:
        return normalised_reference(typed)
    except InvalidInput as error:
        raise ValueError(f"is not a bank reference. {error.message}") from error


# What was read already: money in paise, and moments.
_Paise = Annotated[int, Field(ge=0)]


class ImportedUser(UserRow):
    created_at: Annotated[datetime | None, Field(alias="createdAt")]


class ImportedPurchase(PurchaseRow):
    created_at: Annotated[datetime | None, Field(alias="createdAt")]
    invest_paise: Annotated[_Paise, Field(alias="invest")]
    daily_income_paise: Annotated[_Paise, Field(alias="dailyIncome")]


class ImportedClaim(ClaimRow):
    """Unlike a claim that the service sends, it may have been decided already."""

    created_at: Annotated[datetime | None, Field(alias="createdAt")]
    amount_paise: Annotated[_Paise, AfterValidator(more_than_nothing), Field(alias="amount")]
    status: Status
    moved_at: Annotated[datetime | None, Field(alias="movedAt")] = None
    reason: Annotated[PlainLines, Field(min_length=1, max_length=500)] | None = None
    reference: Annotated[str, Field(max_length=LONGEST_TYPED), AfterValidator(_checked_reference)] | None = None


class ImportedQr(NewQr):
    """Its picture is examined later."""

    id: str
    created_at: datetime
    picture: Any


ROWS: dict[NounName, type[IntakeRow]] = {
    "users": ImportedUser,
    "purchases": ImportedPurchase,
    "claims": ImportedClaim,
}
