"""The statements for the bare database: for the page exactly what our server sends, otherwise the minimum required."""

from dataclasses import replace

import psycopg
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from countinghouse.claims.queries import CLAIMS, ClaimQuery
from countinghouse.core.db import Statement
from countinghouse.core.db.sqlite_connection import DIALECT

SESSION = (
    "SELECT admins.id, admins.username, sessions.last_seen_at, sessions.expires_at "
    "FROM sessions JOIN admins ON admins.id = sessions.admin_id "
    "WHERE sessions.token_hash = {token_hash} AND sessions.ended_at IS NULL AND admins.disabled_at IS NULL"
)
# Ordered and limited before the joins; otherwise the planner prepares to join a million rows.
PAGE = (
    "SELECT c.id, c.created_at, u.username, u.mobile, p.invest_paise, c.amount_paise, c.account_no, c.ifsc, c.address,"
    " c.status, c.user_id, c.version FROM (SELECT * FROM claims {where} ORDER BY created_at DESC, id DESC LIMIT 50) c"
    " JOIN users u ON u.id = c.user_id JOIN purchases p ON p.id = c.purchase_id"
    " ORDER BY c.created_at DESC, c.id DESC"
)
OLDER_THAN = PAGE.format(where="WHERE (created_at, id) < ('{created_at}', '{claim_id}')")
EXPECTED_IDS = "SELECT id FROM claims ORDER BY created_at DESC, id DESC LIMIT 50 OFFSET {skip}"
MATCHES = (
    "SELECT c.id FROM claims c JOIN users u ON u.id = c.user_id WHERE c.status = ? AND"
    " (u.username ILIKE ? OR u.mobile ILIKE ? OR c.account_no ILIKE ? OR c.ifsc ILIKE ?)"
    " ORDER BY c.created_at DESC, c.id DESC LIMIT 50"
)

# The status change. pgbench can count but not read files, so a table holds the claims to move, by number.
QUEUE = "CREATE TABLE bench_queue (n integer PRIMARY KEY, claim_id varchar(24) NOT NULL, new_id varchar(24) NOT NULL)"
MOVE = (
    "UPDATE claims SET status = 'Accepted', version = version + 1, moved_at = now()"
    " WHERE id = (SELECT claim_id FROM bench_queue WHERE n = :n) AND status = 'Pending'",
    "INSERT INTO claim_transitions"
    " (id, claim_id, from_status, to_status, moved_by, moved_at, number, payout_round)"
    " SELECT q.new_id, q.claim_id, 'Pending', 'Accepted', 'admin', now(), c.version, c.payout_round"
    " FROM bench_queue q JOIN claims c ON c.id = q.claim_id WHERE q.n = :n",
    "INSERT INTO audit_log (at, actor, address, verb, subject_id, before, after)"
    " SELECT now(), 'admin', '127.0.0.1', 'claim.moved', claim_id, '{\"status\": \"Pending\", \"version\": 0}',"
    ' \'{"status": "Accepted", "version": 1}\' FROM bench_queue WHERE n = :n',
)


def newest_page(is_sqlite: bool) -> str:
    """The 50 newest, one more to see whether there are others, and the total count."""
    asked = ClaimQuery(limit=50)
    shape = replace(CLAIMS.shape(asked, None), sort=asked.sort, limit=51, has_total=True, limits_first=not is_sqlite)
    dialect = DIALECT if is_sqlite else PGDialect_psycopg(dbapi=psycopg)  # type: ignore[no-untyped-call]
    return Statement(CLAIMS.select_page(shape)).compiled(dialect, {}).sql
