"""A desk with some history, its partitions, and what the database knows about its tables."""

from typing import Any

from sqlalchemy import Connection, inspect, text

from countinghouse.core.db import Database
from countinghouse.partitions.actions import partition
from countinghouse.settings import Settings
from tests.desk import Desk

TABLES = ("audit_log", "claim_transitions")
# Few enough that the history below is split.
ROWS = 10
AUDIT_PAGES = ("/api/audit?limit=7", "/api/audit?limit=7&verb=claim.moved", "/api/audit?limit=7&actor=asha&noun=claim")
PAGES = (*AUDIT_PAGES, "/api/claims/all?limit=5", "/api/claims/all?limit=5&status=Paid&with=payout", "/api/home")


def work(desk: Desk) -> None:
    for status in ("Paid", "Returned", "Accepted", "On hold", "Rejected") * 2:
        desk.add_claim_moved_to(status)


def grow_log(desk: Desk, rows: int) -> None:
    row = "SELECT now(), 'ravi', 'claim.revealed', 'x' FROM generate_series"
    desk.change(text(f"INSERT INTO audit_log (at, actor, verb, subject_id) {row} (1, {rows})"))


def partitioned(url: str, rows: int = ROWS, *, is_plan: bool = False) -> list[str]:
    """Returns what the command says."""
    said: list[str] = []
    database = Database(Settings(database_url=url, _env_file=None).database)
    try:
        partition(database, rows, said.append, is_plan=is_plan)
    finally:
        database.close()
    return said


def parts_of(desk: Desk, table: str) -> dict[str, int]:
    """The partitions, and how many rows each has."""
    tree = text(f"SELECT relid::regclass::text FROM pg_partition_tree('{table}') WHERE isleaf AND level > 0 ORDER BY 1")
    return {name: desk.rows(text(f"SELECT count(*) FROM {name}"))[0][0] for (name,) in desk.rows(tree)}


def read_all(desk: Desk, path: str) -> Any:
    """All pages of a list, or one answer."""
    found: list[Any] = []
    following: str | None = path
    while following:
        answer = desk.get(following)
        assert answer.status_code == 200, answer.text
        if not isinstance(answer.json(), list):
            return answer.json()
        found += answer.json()
        following = answer.links.get("next", {}).get("url")
    return found


def known_to_code(connection: Connection, table: str) -> dict[str, Any]:
    """What statements and migrations refer to by name."""
    found = inspect(connection)
    triggers = text(
        f"SELECT tgname FROM pg_trigger WHERE tgrelid = '{table}'::regclass AND NOT tgisinternal ORDER BY 1"
    )
    return {
        "columns": [(c["name"], str(c["type"]), c["nullable"], c["default"]) for c in found.get_columns(table)],
        "indexes": sorted((i["name"], i["column_names"], i["unique"]) for i in found.get_indexes(table)),
        "unique": sorted((u["name"], u["column_names"]) for u in found.get_unique_constraints(table)),
        "foreign": sorted((f["name"], f["referred_table"]) for f in found.get_foreign_keys(table)),
        "triggers": list(connection.execute(triggers).scalars()),
    }
