"""Setting the policy. Admins may only tighten it; loosening it takes the operator, on the server."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import insert, update

from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Transaction
from countinghouse.core.errors import Conflict
from countinghouse.core.times import now
from countinghouse.policy.queries import OFF, ON, Rule, RuleSet, first_setting, list_rules
from countinghouse.policy.resource import PolicyVerb
from countinghouse.policy.tables import policy_rules

# The names of the rules on the command line.
COMMAND_NAMES: Mapping[Rule, str] = {
    "paidNeedsReference": "paid-needs-reference",
    "twoPersons": "two-persons",
    "secondLookAbove": "second-look-above",
    "newPayeeNeedsSecondAdmin": "new-payee-needs-second-admin",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """On, off, or on above an amount."""

    text: str

    @classmethod
    def switched(cls, is_on: bool) -> "Setting":
        return cls(ON if is_on else OFF)

    @classmethod
    def above(cls, paise: int | None) -> "Setting":
        return cls(OFF if paise is None else str(paise))


async def tighten_policy(transaction: Transaction, actor: Actor, wishes: Mapping[Rule, Setting]) -> None:
    """Applies all settings or none."""
    before = await _lock(transaction)
    for rule, wish in wishes.items():
        if _is_looser(rule, before.get(rule), wish):
            raise _only_tightens(rule, wish)
    for rule, wish in wishes.items():
        await _set(transaction, actor, rule, before.get(rule), wish)


async def set_policy(transaction: Transaction, actor: Actor, rule: Rule, wish: Setting) -> None:
    """For the operator, who may also loosen it."""
    await _set(transaction, actor, rule, (await _lock(transaction)).get(rule), wish)


async def _lock(transaction: Transaction) -> dict[Rule, RuleSet]:
    """Locks the rules until the transaction ends, so that the second of two concurrent changes sees the first."""
    if not transaction.is_sqlite:
        await transaction.command("LOCK TABLE policy_rules IN SHARE ROW EXCLUSIVE MODE")
    return {found.rule: found for found in await list_rules(transaction)}


def _is_looser(rule: Rule, before: RuleSet | None, wish: Setting) -> bool:
    was = before.setting if before else first_setting(rule)
    if was == OFF:
        return False
    if wish.text == OFF:
        return True
    return before is not None and before.paise is not None and int(wish.text) > before.paise


def _only_tightens(rule: Rule, wish: Setting) -> Conflict:
    shown = RuleSet(rule, wish.text, "", now()).shown
    message = f"Only the operator can loosen this, with: countinghouse policy set {COMMAND_NAMES[rule]} {shown}"
    return Conflict("policy_only_tightens", message, {"rule": rule})


async def _set(transaction: Transaction, actor: Actor, rule: Rule, before: RuleSet | None, wish: Setting) -> None:
    was = before.setting if before else first_setting(rule)
    if was == wish.text:
        return
    row = {"rule": rule, "setting": wish.text, "set_by": actor.name, "set_at": now()}
    if before is None:
        await transaction.execute(insert(policy_rules).values(row))
    else:
        await transaction.execute(update(policy_rules).where(policy_rules.c.rule == rule).values(row))
    await record(transaction, actor, PolicyVerb.CHANGED, rule, before={"setting": was}, after={"setting": wish.text})
