"""PostgreSQL: missing numbers of the audit log are remembered until every transaction that may have them has ended.

`audit_gaps` forgot them by the clock of a server. The database now finds the gaps itself whenever rows are sealed, so
that a server of the previous release, which seals on beside this version, remembers them as well.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0028"
down_revision: str | None = "0027"

# An INSERT takes the number of its row before the transaction has an id, which it gets with its first change. With
# this trigger no transaction has a number and no id: then those that had ended when the gap was seen can be told from
# those that had not.
TAKE_ID = """
CREATE FUNCTION audit_log_takes_id() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE taken xid8 := pg_current_xact_id();
BEGIN RETURN NULL; END $$;
CREATE TRIGGER audit_log_takes_id BEFORE INSERT ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION audit_log_takes_id()
"""

# Searched are the gaps that the sealed rows lie in, and the numbers above all that were sealed before. What lies
# between two sealed rows of one of them is a gap. The transaction that seals gets its id after it has read the rows,
# and so after every transaction that has a number below theirs.
FIND_GAPS = """
CREATE FUNCTION audit_seals_find_gaps() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    top bigint := coalesce((SELECT max(seq) FROM audit_seals WHERE position < (SELECT min(position) FROM sealed)), 0);
BEGIN
    WITH filled AS (
        DELETE FROM audit_open_gaps
        WHERE EXISTS (SELECT FROM sealed WHERE seq BETWEEN first_seq AND last_seq)
        RETURNING first_seq, last_seq, seen_by, cluster
    ), searched AS (
        SELECT * FROM filled
        UNION ALL
        SELECT top + 1, max(seq), pg_current_xact_id()::text::bigint,
            (SELECT system_identifier FROM pg_control_system())
        FROM sealed HAVING max(seq) > top
    ), pieces AS (
        SELECT 1 + coalesce(lag(ends.seq) OVER (PARTITION BY first_seq ORDER BY ends.seq), first_seq - 1) AS first_seq,
            ends.seq - 1 AS last_seq, seen_by, cluster
        FROM searched, LATERAL (
            SELECT seq FROM sealed WHERE seq BETWEEN first_seq AND last_seq UNION ALL SELECT last_seq + 1
        ) AS ends
    )
    INSERT INTO audit_open_gaps (first_seq, last_seq, seen_by, cluster)
    SELECT first_seq, last_seq, seen_by, cluster FROM pieces WHERE first_seq <= last_seq;
    -- The previous release would seal them again, and fail.
    DELETE FROM audit_gaps WHERE seq IN (SELECT seq FROM sealed);
    RETURN NULL;
END $$;
CREATE TRIGGER audit_seals_find_gaps AFTER INSERT ON audit_seals REFERENCING NEW TABLE AS sealed
FOR EACH STATEMENT EXECUTE FUNCTION audit_seals_find_gaps()
"""

TAKE_OVER = """
INSERT INTO audit_open_gaps (first_seq, last_seq, seen_by, cluster)
SELECT seq, seq, pg_current_xact_id()::text::bigint, (SELECT system_identifier FROM pg_control_system())
FROM audit_gaps
"""


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "audit_open_gaps",
        sa.Column("first_seq", number, primary_key=True, autoincrement=False),
        sa.Column("last_seq", sa.BigInteger, nullable=False),
        sa.Column("seen_by", sa.BigInteger, nullable=False),
        sa.Column("cluster", sa.BigInteger, nullable=False),
    )
    if is_sqlite:
        return
    for statement in (TAKE_ID, FIND_GAPS, TAKE_OVER):
        op.execute(statement)
