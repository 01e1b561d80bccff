"""Reading the policy."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from pydantic import JsonValue, with_config
from sqlalchemy import select
from typing_extensions import TypedDict

from countinghouse.core.db import Reader, Statement
from countinghouse.core.money import rupees
from countinghouse.core.times import iso, to_moment
from countinghouse.policy.tables import policy_rules

Rule = Literal["paidNeedsReference", "twoPersons", "secondLookAbove", "newPayeeNeedsSecondAdmin"]
RULES: tuple[Rule, ...] = get_args(Rule)

ON, OFF = "on", "off"
# Rules that are on by default.
_ON_BY_DEFAULT: tuple[Rule, ...] = ("newPayeeNeedsSecondAdmin",)


def first_setting(rule: Rule) -> str:
    return ON if rule in _ON_BY_DEFAULT else OFF


@dataclass(frozen=True, slots=True)
class Policy:
    """The field defaults are the policy before anybody has set a rule."""

    paid_needs_reference: bool = False
    two_persons: bool = False
    second_look_above_paise: int | None = None
    new_payee_needs_second_admin: bool = True

    @property
    def asks_who_accepted(self) -> bool:
        return self.two_persons or self.second_look_above_paise is not None


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule as it was last set: `setting` is on, off or an amount in paise."""

    rule: Rule
    setting: str
    set_by: str
    set_at: datetime

    @property
    def paise(self) -> int | None:
        return int(self.setting) if self.setting.isdecimal() else None

    @property
    def shown(self) -> str:
        """Amounts are in rupees."""
        return self.setting if self.paise is None else f"{self.paise / 100:.2f}".removesuffix(".00")


_RULES = Statement(
    select(policy_rules.c.rule, policy_rules.c.setting, policy_rules.c.set_by, policy_rules.c.set_at).order_by(
        policy_rules.c.rule
    )
)


async def list_rules(reader: Reader) -> list[RuleSet]:
    return [RuleSet(rule, setting, by, to_moment(at)) for rule, setting, by, at in await reader.all(_RULES, {})]


async def read_policy(reader: Reader) -> Policy:
    return policy_of(await list_rules(reader))


def policy_of(rules: list[RuleSet]) -> Policy:
    by_rule = {found.rule: found for found in rules}
    second_look = by_rule.get("secondLookAbove")
    return Policy(
        paid_needs_reference=_is_on(by_rule, "paidNeedsReference"),
        two_persons=_is_on(by_rule, "twoPersons"),
        second_look_above_paise=second_look.paise if second_look else None,
        new_payee_needs_second_admin=_is_on(by_rule, "newPayeeNeedsSecondAdmin"),
    )


def _is_on(by_rule: Mapping[Rule, RuleSet], rule: Rule) -> bool:
    found = by_rule.get(rule)
    return (found.setting if found else first_setting(rule)) == ON


_SWITCHED: dict[str, JsonValue] = {
    "rule": "paidNeedsReference",
    "setting": "on",
    "by": "asha",
    "at": "2026-11-15T02:52:36.120Z",
}
_LIMITED: dict[str, JsonValue] = {**_SWITCHED, "rule": "secondLookAbove", "setting": "50000", "by": "command"}


@with_config(json_schema_extra={"examples": [_SWITCHED, _LIMITED]})
class PolicyChange(TypedDict):
    rule: Rule
    setting: str
    by: str
    at: str


@with_config(
    json_schema_extra={
        "examples": [
            {
                "paidNeedsReference": True,
                "twoPersons": False,
                "secondLookAbove": 50000,
                "newPayeeNeedsSecondAdmin": True,
                "changes": [_SWITCHED, _LIMITED],
            }
        ]
    }
)
class PolicyShown(TypedDict):
    paidNeedsReference: bool
    twoPersons: bool
    secondLookAbove: float | None
    newPayeeNeedsSecondAdmin: bool
    changes: list[PolicyChange]


async def show_policy(reader: Reader) -> PolicyShown:
    rules = await list_rules(reader)
    policy = policy_of(rules)
    above = policy.second_look_above_paise
    return {
        "paidNeedsReference": policy.paid_needs_reference,
        "twoPersons": policy.two_persons,
        "secondLookAbove": None if above is None else rupees(above),
        "newPayeeNeedsSecondAdmin": policy.new_payee_needs_second_admin,
        "changes": [
            {"rule": found.rule, "setting": found.shown, "by": found.set_by, "at": iso(found.set_at)} for found in rules
        ],
    }
