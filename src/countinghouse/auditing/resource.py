"""What the rest of the desk knows of the audit log."""

from countinghouse.admins.permissions import Role, permission
from countinghouse.audit.tables import audit_entries
from countinghouse.auditing.queries import AUDIT, AuditQuery, record_number
from countinghouse.core.resource import CREATED_AT, Column, ListedRows, Resource

READ = permission("audit.read", Role.AUDITOR)

COLUMNS = (
    CREATED_AT,
    Column("Who", "actor", width=20),
    Column("From", "address", "details", 18),
    Column("What", "verb", width=22),
    Column("No.", "record_number", width=12),
    Column("Of", "subject_id", width=28),
    Column("Before", "before", "details", 40),
    Column("After", "after", "details", 40),
)

ROWS = ListedRows(AUDIT, AuditQuery, COLUMNS, more=(record_number(audit_entries),), permission=READ.name)
RESOURCE = Resource("audit", "/Audit", ROWS, has_views=True)
