"""What the audit log says about the policy: the setting of each rule."""

from collections.abc import Callable

from sqlalchemy import select

from countinghouse.audit.chain import AuditRow
from countinghouse.audit.records import Kind, State, details_of
from countinghouse.policy.tables import policy_rules


def _logged_state(row: AuditRow, _before: Callable[[str], State]) -> tuple[str, State] | None:
    return row["subject_id"], {"setting": details_of(row).get("setting"), "by": row["actor"]}


POLICY_KIND = Kind(
    "policy rule",
    "policy",
    _logged_state,
    select(policy_rules.c.rule.label("id"), policy_rules.c.setting, policy_rules.c.set_by),
    policy_rules.c.rule,
    lambda row: {"setting": row.setting, "by": row.set_by},
)
