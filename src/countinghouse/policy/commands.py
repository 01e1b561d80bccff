"""The policy on the command line."""

from decimal import Decimal, InvalidOperation
from enum import StrEnum

from countinghouse.core.errors import InvalidInput
from countinghouse.core.money import LARGEST_PAISE
from countinghouse.policy.queries import DEFAULTS, OFF, ON, Rule, RuleSet


class RuleName(StrEnum):
    PAID_NEEDS_REFERENCE = "paid-needs-reference"
    TWO_PERSONS = "two-persons"
    SECOND_LOOK_ABOVE = "second-look-above"
    NEW_PAYEE_NEEDS_SECOND_ADMIN = "new-payee-needs-second-admin"
    SECOND_FACTOR_REQUIRED = "second-factor-required"
    STEP_UP_ABOVE = "step-up-above"

    @property
    def rule(self) -> Rule:
        return next(rule for rule in DEFAULTS if RuleSet(rule, OFF).command_name == self)


def typed_setting(name: RuleName, typed: str) -> str:
    if typed == OFF:
        return OFF
    if name in (RuleName.SECOND_LOOK_ABOVE, RuleName.STEP_UP_ABOVE):
        return _typed_paise(name, typed)
    if typed == ON:
        return ON
    raise InvalidInput({name: f"{name} must be on or off."})


def _typed_paise(name: RuleName, typed: str) -> str:
    try:
        paise = Decimal(typed) * 100
    except InvalidOperation:
        paise = Decimal(-1)
    if not paise.is_finite() or not 0 <= paise <= LARGEST_PAISE or paise != int(paise):
        raise InvalidInput({name: "Give an amount in rupees, like 50000 or 49999.50, or off."})
    return str(int(paise))
