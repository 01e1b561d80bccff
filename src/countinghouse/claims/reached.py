"""The filters that Home links to: claims by when they last came to a status, and by who moved them there."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationInfo, field_validator, model_validator
from sqlalchemy import bindparam, exists, select, true

from countinghouse.claims.lifecycle import Status
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.inputs import PlainText
from countinghouse.core.listing import Filter
from countinghouse.core.listing.query import FIRST_MOMENT, LAST_MOMENT, PeriodEnd, PeriodStart
from countinghouse.core.times import Moment

_moved, _later = claim_transitions.alias("moved"), claim_transitions.alias("later")
_is_later = _later.c.claim_id == _moved.c.claim_id, _later.c.to_status == _moved.c.to_status
# The last arrival of a claim at a status: each claim has at most one, so that days and admins add up.
_arrived = select(_moved.c.claim_id).where(
    _moved.c.to_status == bindparam("reached"),
    ~exists().where(*_is_later, _later.c.number > _moved.c.number),
)


class ReachedFilters(BaseModel):
    reached: Annotated[
        Status | None,
        Field(description="Only claims that were moved to this status, whatever theirs is now."),
        # With the dates in one condition, which one index answers.
        Filter(
            lambda _: claims.c.id.in_(
                _arrived.where(
                    _moved.c.moved_at >= bindparam("reached_from", type_=Moment),
                    _moved.c.moved_at < bindparam("reached_to", type_=Moment),
                )
            ),
            narrows=True,
        ),
    ] = None
    reached_from: Annotated[
        PeriodStart | None,
        Field(
            alias="reachedFrom",
            description="With `reached`: the last time at or after this moment, or on this day or later.",
        ),
        Filter(lambda _: true(), narrows=True),
    ] = None
    reached_to: Annotated[
        PeriodEnd | None,
        Field(
            alias="reachedTo",
            description="With `reached`: the last time before this moment, or on this day or earlier.",
        ),
        Filter(lambda _: true(), narrows=True),
    ] = None
    reached_by: Annotated[
        PlainText | None,
        Field(
            alias="reachedBy", min_length=1, max_length=200, description="With `reached`: moved there by this admin."
        ),
        Filter(
            lambda _: (
                _arrived.where(_moved.c.claim_id == claims.c.id, _moved.c.moved_by == bindparam("reached_by"))
                .correlate(claims)
                .exists()
            )
        ),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _always_with_dates(cls, given: Any) -> Any:
        is_asked = isinstance(given, Mapping) and given.get("reached") is not None
        return {"reachedFrom": FIRST_MOMENT, "reachedTo": LAST_MOMENT, **given} if is_asked else given

    @field_validator("reached_from", "reached_to", "reached_by")
    @classmethod
    def _only_with_a_status(cls, value: Any, known: ValidationInfo) -> Any:
        if value is not None and "reached" in known.data and known.data["reached"] is None:
            raise ValueError("needs reached, the status that the claims came to.")
        return value
