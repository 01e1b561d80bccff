from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, String, Table, Text

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

# Files that an admin uploads, their plan and their import.
imports = Table(
    "imports",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("created_at", Moment, nullable=False, index=True),
    Column("created_by", String(200), nullable=False),
    # Names and sizes, as JSON, in the order of the parts.
    Column("files", Text, nullable=False),
    Column("state", String(20), nullable=False),
    # The corrections of the map, as JSON.
    Column("map", Text, nullable=False),
    # The process that plans or runs it, who started it, and when it was last heard of.
    Column("job", String(24)),
    Column("job_by", String(200)),
    Column("heard_at", Moment),
    Column("rows_done", Integer, nullable=False, server_default="0"),
    Column("share_done", Integer, nullable=False, server_default="0"),
    # What the plan or the run found, as JSON, or the sentence that says why it failed.
    Column("report", Text),
    Column("failure", String(1000)),
    # The CSV file of all bad rows, compressed.
    Column("bad_rows", LargeBinary),
)

# In the database and not on a disk, because another instance may get the next request. Removed when it is imported.
import_parts = Table(
    "import_parts",
    metadata,
    Column("import_id", ForeignKey("imports.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)
