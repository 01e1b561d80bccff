"""Setting the policy. Admins may only tighten it; loosening it takes the operator, on the server."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, insert, update

from countinghouse.audit.actions import Actor, record
from countinghouse.core.errors import Conflict
from countinghouse.core.quick import ConnectionReader
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


def tighten_policy(connection: Connection, actor: Actor, wishes: Mapping[Rule, Setting]) -> None:
    """Applies all settings or none."""
    before = _lock(connection)
    for rule, wish in wishes.items():
        if _is_looser(rule, before.get(rule), wish):
            raise _only_tightens(rule, wish)
    for rule, wish in wishes.items():
        _set(connection, actor, rule, before.get(rule), wish)


def set_policy(connection: Connection, actor: Actor, rule: Rule, wish: Setting) -> None:
    """For the operator, who may also loosen it."""
    _set(connection, actor, rule, _lock(connection).get(rule), wish)


def _lock(connection: Connection) -> dict[Rule, RuleSet]:
    """Locks the rules until the transaction ends, so that the second of two concurrent changes sees the first."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("LOCK TABLE policy_rules IN SHARE ROW EXCLUSIVE MODE")
    return {found.rule: found for found in list_rules(ConnectionReader(connection))}


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


def _set(connection: Connection, actor: Actor, rule: Rule, before: RuleSet | None, wish: Setting) -> None:
    was = before.setting if before else first_setting(rule)
    if was == wish.text:
        return
    row = {"rule": rule, "setting": wish.text, "set_by": actor.name, "set_at": now()}
    if before is None:
        connection.execute(insert(policy_rules).values(row))
    else:
        connection.execute(update(policy_rules).where(policy_rules.c.rule == rule).values(row))
    record(connection, actor, PolicyVerb.CHANGED, rule, before={"setting": was}, after={"setting": wish.text})
