from sqlalchemy import Column, ForeignKey, String, Table, UniqueConstraint

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

saved_views = Table(
    "saved_views",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("admin_id", ForeignKey("admins.id"), nullable=False),
    Column("screen", String(20), nullable=False),
    Column("name", String(60), nullable=False),
    Column("name_key", String(200), nullable=False),
    # The query string of the screen's URL, without the question mark.
    Column("search", String(2000), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    UniqueConstraint("admin_id", "screen", "name_key", name="uq_saved_views_admin_screen_name"),
)
