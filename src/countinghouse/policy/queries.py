"""Reading the policy."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal, NamedTuple, get_args

from sqlalchemy import select
from typing_extensions import TypedDict

from countinghouse.core.db import Reader, Statement
from countinghouse.core.examples import Example, described, examples
from countinghouse.core.money import rupees
from countinghouse.core.times import iso
from countinghouse.policy.tables import policy_rules

Rule = Literal[
    "paidNeedsReference",
    "twoPersons",
    "secondLookAbove",
    "newPayeeNeedsSecondAdmin",
    "secondFactorRequired",
    "stepUpAbove",
]

ON, OFF = "on", "off"
DEFAULTS: dict[Rule, str] = dict.fromkeys(get_args(Rule), OFF) | {"newPayeeNeedsSecondAdmin": ON}


@dataclass(frozen=True, slots=True)
class Policy:
    """The field defaults are the policy before anybody has set a rule."""

    paid_needs_reference: bool = False
    two_persons: bool = False
    second_look_above_paise: int | None = None
    new_payee_needs_second_admin: bool = True
    step_up_above_paise: int | None = None


class RuleSet(NamedTuple):
    """A rule as it was last set: `setting` is on, off or an amount in paise. A default has no `set_at`."""

    rule: Rule
    setting: str
    set_by: str = ""
    set_at: datetime | None = None

    @property
    def paise(self) -> int | None:
        return int(self.setting) if self.setting.isdecimal() else None

    @property
    def shown(self) -> str:
        """Amounts are in rupees."""
        return self.setting if self.paise is None else f"{self.paise / 100:.2f}".removesuffix(".00")

    @property
    def command_name(self) -> str:
        """Its name on the command line: two-persons."""
        return re.sub("[A-Z]", lambda capital: f"-{capital[0].lower()}", self.rule)


_RULES = Statement(select(policy_rules.c.rule, policy_rules.c.setting, policy_rules.c.set_by, policy_rules.c.set_at))


async def read_rules(reader: Reader) -> dict[Rule, RuleSet]:
    found = {row.rule: RuleSet(row.rule, row.setting, row.set_by, row.set_at) for row in await reader.rows(_RULES)}
    return {rule: found.get(rule, RuleSet(rule, setting)) for rule, setting in DEFAULTS.items()}


async def read_policy(reader: Reader) -> Policy:
    return _policy_of(await read_rules(reader))


def _policy_of(rules: dict[Rule, RuleSet]) -> Policy:
    return Policy(
        paid_needs_reference=rules["paidNeedsReference"].setting == ON,
        two_persons=rules["twoPersons"].setting == ON,
        second_look_above_paise=rules["secondLookAbove"].paise,
        new_payee_needs_second_admin=rules["newPayeeNeedsSecondAdmin"].setting == ON,
        step_up_above_paise=rules["stepUpAbove"].paise,
    )


_SWITCHED = {"rule": "paidNeedsReference", "setting": "on", "by": "asha", "at": "2026-11-15T02:52:36.120Z"}
_LIMITED = {**_SWITCHED, "rule": "secondLookAbove", "setting": "50000", "by": "command"}


@examples(_SWITCHED, _LIMITED)
class PolicyChange(TypedDict):
    rule: Rule
    setting: str
    by: str
    at: str


@described
class PolicyShown(TypedDict):
    paidNeedsReference: Annotated[bool, Example(True)]
    twoPersons: Annotated[bool, Example(False)]
    secondLookAbove: Annotated[float | None, Example(50000)]
    newPayeeNeedsSecondAdmin: Annotated[bool, Example(True)]
    secondFactorRequired: Annotated[bool, Example(False)]
    stepUpAbove: Annotated[float | None, Example(None)]
    changes: Annotated[list[PolicyChange], Example([_SWITCHED, _LIMITED])]


async def show_policy(reader: Reader) -> PolicyShown:
    rules = await read_rules(reader)
    policy = _policy_of(rules)
    above, step_up_above = policy.second_look_above_paise, policy.step_up_above_paise
    return {
        "paidNeedsReference": policy.paid_needs_reference,
        "twoPersons": policy.two_persons,
        "secondLookAbove": None if above is None else rupees(above),
        "newPayeeNeedsSecondAdmin": policy.new_payee_needs_second_admin,
        # Read by the room of the admins, with each session.
        "secondFactorRequired": rules["secondFactorRequired"].setting == ON,
        "stepUpAbove": None if step_up_above is None else rupees(step_up_above),
        "changes": [
            {"rule": found.rule, "setting": found.shown, "by": found.set_by, "at": iso(found.set_at)}
            for _, found in sorted(rules.items())
            if found.set_at is not None
        ],
    }
