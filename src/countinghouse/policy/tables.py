from sqlalchemy import Column, String, Table

from countinghouse.core.db import metadata
from countinghouse.core.times import Moment

# A rule without a row has its default setting.
policy_rules = Table(
    "policy_rules",
    metadata,
    Column("rule", String(40), primary_key=True),
    Column("setting", String(40), nullable=False),
    Column("set_by", String(200), nullable=False),
    Column("set_at", Moment, nullable=False),
)
