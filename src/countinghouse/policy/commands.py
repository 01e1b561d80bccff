"""The policy on the command line."""

from decimal import Decimal, InvalidOperation
from enum import StrEnum

from countinghouse.core.errors import InvalidInput
from countinghouse.core.money import LARGEST_PAISE
from countinghouse.policy.actions import COMMAND_NAMES, Setting
from countinghouse.policy.queries import OFF, ON, Rule, RuleSet, first_setting


class RuleName(StrEnum):
    PAID_NEEDS_REFERENCE = "paid-needs-reference"
    TWO_PERSONS = "two-persons"
    SECOND_LOOK_ABOVE = "second-look-above"
    NEW_PAYEE_NEEDS_SECOND_ADMIN = "new-payee-needs-second-admin"

    @property
    def rule(self) -> Rule:
        return next(rule for rule, name in COMMAND_NAMES.items() if name == self)


def typed_setting(name: RuleName, typed: str) -> Setting:
    if typed == OFF:
        return Setting.switched(False)
    if name is RuleName.SECOND_LOOK_ABOVE:
        return Setting.above(_typed_paise(typed))
    if typed == ON:
        return Setting.switched(True)
    raise InvalidInput({name: f"{name} must be on or off."})


def _typed_paise(typed: str) -> int:
    try:
        paise = Decimal(typed) * 100
    except InvalidOperation:
        paise = Decimal(-1)
    if not paise.is_finite() or not 0 <= paise <= LARGEST_PAISE or paise != int(paise):
        raise InvalidInput({RuleName.SECOND_LOOK_ABOVE: "Give an amount in rupees, like 50000 or 49999.50, or off."})
    return int(paise)


def policy_lines(rules: list[RuleSet]) -> list[tuple[str, str, RuleSet | None]]:
    """Each rule's name, its setting, and the change that set it."""
    by_rule = {found.rule: found for found in rules}
    found = [(name, by_rule.get(name.rule)) for name in RuleName]
    return [(str(name), rule.shown if rule else first_setting(name.rule), rule) for name, rule in found]
