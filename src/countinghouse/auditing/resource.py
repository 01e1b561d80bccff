"""What the rest of the desk knows of the audit log."""

from countinghouse.admins.permissions import Role, permission
from countinghouse.auditing.queries import AUDIT, AuditQuery
from countinghouse.core.resource import CREATED_AT, Column, ListedRows, Resource

READ = permission("audit.read", Role.AUDITOR)

COLUMNS = (
    CREATED_AT,
    Column("Who", "actor", width=20),
    Column("From", "address", "details", 18),
    Column("What", "verb", width=22),
    Column("Of", "subject_id", width=28),
    Column("Before", "before", "details", 40),
    Column("After", "after", "details", 40),
)

RESOURCE = Resource("audit", "/Audit", ListedRows(AUDIT, AuditQuery, COLUMNS, permission=READ.name), has_views=True)
