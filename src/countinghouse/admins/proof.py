"""What the audit log says about admins: their name and role, and whether they are disabled."""

from collections.abc import Callable

from sqlalchemy import select

from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins
from countinghouse.audit.chain import AuditRow
from countinghouse.audit.records import Kind, State, details_of


def _told(row: AuditRow, before: Callable[[str], State]) -> tuple[str, State] | None:
    """Rows about invitations tell of no admin: whoever accepts one is added."""
    after, admin_id = details_of(row), row["subject_id"]
    told = {name: after[name] for name in ("username", "role") if name in after}
    match row["verb"]:
        case "admin.added":
            # Older rows have no role: whoever was an admin then became an owner.
            return admin_id, {"role": Role.OWNER.value, "disabled": False} | told
        case "admin.role_changed":
            return admin_id, before(admin_id) | told
        case "admin.disabled" | "admin.enabled":
            return admin_id, before(admin_id) | {"disabled": row["verb"] == "admin.disabled"}
    return None


ADMIN_KIND = Kind(
    "admin",
    "admin",
    _told,
    select(admins.c.id, admins.c.username, admins.c.role, admins.c.disabled_at),
    admins.c.id,
    lambda row: {"username": row.username, "role": row.role, "disabled": row.disabled_at is not None},
)
