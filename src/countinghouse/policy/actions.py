"""Setting the policy. Admins may only tighten it; loosening it takes the operator, on the server."""

from collections.abc import Mapping

from sqlalchemy import insert, update

from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import Transaction
from countinghouse.core.errors import Conflict
from countinghouse.core.times import now
from countinghouse.policy.queries import OFF, Rule, RuleSet, read_rules
from countinghouse.policy.resource import PolicyVerb
from countinghouse.policy.tables import policy_rules


async def tighten_policy(transaction: Transaction, actor: Actor, wishes: Mapping[Rule, str]) -> None:
    """Applies all settings or none. A setting is on, off or an amount in paise."""
    before = await _lock(transaction)
    for rule, wish in wishes.items():
        if _is_looser(before[rule], wish):
            asked = RuleSet(rule, wish)
            command = f"countinghouse policy set {asked.command_name} {asked.shown}"
            raise Conflict(
                "policy_only_tightens",
                f"Only the operator can relax this. Run on the server: {command}",
                {"rule": rule},
            )
    for rule, wish in wishes.items():
        await _set(transaction, actor, before[rule], wish)


async def set_policy(transaction: Transaction, actor: Actor, rule: Rule, wish: str) -> None:
    """For the operator, who may also loosen it."""
    await _set(transaction, actor, (await _lock(transaction))[rule], wish)


async def _lock(transaction: Transaction) -> dict[Rule, RuleSet]:
    """Locks the rules until the transaction ends, so that the second of two concurrent changes sees the first."""
    if not transaction.is_sqlite:
        await transaction.command("LOCK TABLE policy_rules IN SHARE ROW EXCLUSIVE MODE")
    return await read_rules(transaction)


def _is_looser(before: RuleSet, wish: str) -> bool:
    if before.setting == OFF or wish == OFF:
        return before.setting != OFF
    return before.paise is not None and int(wish) > before.paise


async def _set(transaction: Transaction, actor: Actor, before: RuleSet, wish: str) -> None:
    if before.setting == wish:
        return
    row = {"rule": before.rule, "setting": wish, "set_by": actor.name, "set_at": now()}
    if before.set_at is None:
        await transaction.execute(insert(policy_rules).values(row))
    else:
        await transaction.execute(update(policy_rules).where(policy_rules.c.rule == before.rule).values(row))
    changed = {"before": {"setting": before.setting}, "after": {"setting": wish}}
    await record(transaction, actor, PolicyVerb.CHANGED, before.rule, **changed)
