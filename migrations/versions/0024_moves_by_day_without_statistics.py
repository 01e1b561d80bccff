"""PostgreSQL: the trigger that counts moves by day finds the moves of a claim by the claim.

Without statistics, as in a new database that is being filled, the planner could choose the index that begins with the
status, and keep that plan: each move then read all moves to the same status.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0024"
down_revision: str | None = "0023"

FUNCTION = sa.text("SELECT pg_get_functiondef('claim_transitions_by_day_insert()'::regprocedure)")
BY_STATUS, BY_CLAIM = "AND to_status = it.to_status", "AND to_status || '' = it.to_status"


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        return
    # As migration 0022 made it, with conditions on the status that no index can be used for.
    connection.exec_driver_sql(connection.execute(FUNCTION).scalar_one().replace(BY_STATUS, BY_CLAIM))
