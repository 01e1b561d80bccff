"""What comes after a desk was partitioned: backups, later migrations, a role with fewer rights, and quick pages."""

import shutil
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from countinghouse.core import migrate as machinery
from countinghouse.core.migrate import migrate, migrations_folder, newest_revision
from countinghouse.settings import Settings
from tests.audit.sealed import audit, seal_and_sign
from tests.audit.server_role import give_rights, server_role
from tests.backups.kept import back_up, command, contents, sign
from tests.core.statements import Statements, plan_on_postgres, steps_of, watch
from tests.databases import Template
from tests.desk import Desk
from tests.partitions.history import PAGES, TABLES, grow_log, partitioned, parts_of, read_all, work

pytestmark = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)

# What migrations of this desk have done to these tables so far.
LATER = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "x1", "{after}"


def upgrade():
    for table, column in (("audit_log", "actor"), ("claim_transitions", "moved_by")):
        op.add_column(table, sa.Column("place", sa.String(40), server_default="desk"))
        op.create_index(f"ix_{{table}}_place", table, ["place", column])
        op.drop_index(f"ix_{{table}}_place", table)
    op.drop_index("ix_audit_log_verb", "audit_log")
    op.create_index("ix_audit_log_verb", "audit_log", ["verb", "at", "seq"])
    op.drop_constraint("uq_claim_transitions_claim_number", "claim_transitions")
    op.create_unique_constraint("uq_claim_transitions_claim_number", "claim_transitions", ["claim_id", "number"])
    op.execute("DROP TRIGGER audit_log_to_outbox ON audit_log")
    op.execute("CREATE TRIGGER audit_log_to_outbox AFTER INSERT ON audit_log FOR EACH ROW "
               "WHEN (new.verb = 'claim.moved') EXECUTE FUNCTION audit_log_to_outbox()")
    op.execute("CREATE OR REPLACE VIEW audit_entries AS SELECT seq AS id, at AS created_at, actor, address, verb, "
               "subject_id, before, after, place FROM audit_log")
"""


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    def fill(desk: Desk) -> None:
        work(desk)
        partitioned(desk.database.plain_url)
        grow_log(desk, 60)
        work(desk)

    return filled_desk("with partitions", fill)


def test_a_backup_is_restored_with_its_partitions(
    desk: Desk, database_url: str, blank_url: str, tmp_path: Path, template: Template
) -> None:
    data = sign(desk, tmp_path / "data")
    before, parts = contents(database_url), {table: parts_of(desk, table) for table in TABLES}
    file = back_up(database_url, data, tmp_path / "desk.backup")
    ended = command(blank_url, tmp_path / "new", "restore", file)
    assert (ended.returncode, "wrong" in ended.stdout) == (0, False), ended.stdout + ended.stderr
    assert contents(blank_url) == before
    restored = Desk(Settings(database_url=blank_url, _env_file=None), template.tokens)
    try:
        assert {table: parts_of(restored, table).keys() for table in TABLES} == {
            table: counts.keys() for table, counts in parts.items()
        }
        work(restored)
        grow_log(restored, 300)
        assert parts_of(restored, "audit_log")["audit_log_rest"] > 0
        partitioned(blank_url)
        assert parts_of(restored, "audit_log")["audit_log_rest"] == 0
        assert [row.seq for row in restored.audit()] == [*range(1, len(restored.audit()) + 1)]
    finally:
        restored.close()


def test_later_migrations_change_all_partitions(
    desk: Desk, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "migrations"
    shutil.copytree(migrations_folder(), copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "versions/x1.py").write_text(LATER.format(after=newest_revision()))
    before = {path: read_all(desk, path) for path in PAGES}
    seal_and_sign(desk, tmp_path)
    with monkeypatch.context() as later:
        later.setattr(machinery, "migrations_folder", lambda: copy)
        applied: list[str] = []
        migrate(desk.database, applied.append)
        assert applied == ["x1"]
    for table in TABLES:
        for part in parts_of(desk, table):
            assert desk.rows(text(f"SELECT DISTINCT place FROM {part}")) in ([("desk",)], [])
    assert {path: read_all(desk, path) for path in PAGES} == before
    work(desk)
    desk.change(text(f"UPDATE alembic_version SET version_num = '{newest_revision()}'"))
    partitioned(database_url)
    seal_and_sign(desk, tmp_path)
    assert audit(database_url, tmp_path, "verify").returncode == 0


def test_the_role_of_the_servers_can_only_append(
    desk: Desk, database_url: str, template: Template, tmp_path: Path
) -> None:
    with server_role(database_url, database_url) as restricted:
        grow_log(desk, 300)
        partitioned(database_url)
        server = Desk(Settings(database_url=restricted, _env_file=None), template.tokens)
        work(server)
        seal_and_sign(server, tmp_path)
        assert audit(restricted, tmp_path, "verify").returncode == 0
        server.close()
        # It grants more on all tables, which include the partitions, and takes that back.
        give_rights(database_url)
        for part in ("audit_log", *parts_of(desk, "audit_log")):
            for statement in (
                f"UPDATE {part} SET actor = 'nobody'",
                f"DELETE FROM {part}",
                f"TRUNCATE {part}",
                f"ALTER TABLE {part} DISABLE TRIGGER USER",
                f"ALTER TABLE audit_log DETACH PARTITION {part}",
            ):
                with (
                    psycopg.connect(restricted) as connection,
                    pytest.raises(psycopg.Error, match=r"permission denied|must be owner"),
                ):
                    connection.execute(statement)
        with psycopg.connect(restricted) as connection:
            connection.execute("SELECT count(*) FROM audit_log_first")
        with pytest.raises(Exception, match="Only the owner of audit_log can do this"):
            partitioned(restricted)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Statements:
    return watch(monkeypatch)


def test_a_page_of_the_log_reads_a_few_rows_of_each_partition(
    seen: Statements, open_desk: Callable[..., Desk], database_url: str
) -> None:
    desk = open_desk()
    grow_log(desk, 2000)
    partitioned(database_url)
    desk.get("/api/audit?limit=50")
    seen.clear()
    page = desk.get("/api/audit?limit=50")
    (first, *_) = [(sql, values) for sql, values in seen.on_postgres if "audit_entries" in sql]
    seen.clear()
    assert len(desk.get(page.links["next"]["url"]).json()) == 50
    (second, *_) = [(sql, values) for sql, values in seen.on_postgres if "audit_entries" in sql]
    for sql, values in (first, second):
        steps = steps_of(plan_on_postgres(database_url, sql, values, as_if_large=True))
        scans = [step for step in steps if step.get("Relation Name", "").startswith("audit_log")]
        assert {step["Node Type"] for step in scans} <= {"Index Scan", "Index Only Scan"}, scans
        assert sum(step["Actual Rows"] * step["Actual Loops"] for step in scans) <= 2 * (51 + len(scans)), scans


def test_the_history_of_a_claim_is_read_from_one_partition(
    seen: Statements, open_desk: Callable[..., Desk], database_url: str
) -> None:
    desk = open_desk()
    claim_id = desk.add_claim_moved_to("Returned")
    seen.clear()
    assert len(desk.get(f"/api/claims/{claim_id}/details").json()["timeline"]) == 4
    asked = [(sql, values) for sql, values in seen.on_postgres if "FROM claim_transitions" in sql]
    assert asked
    for sql, values in asked:
        steps = steps_of(plan_on_postgres(database_url, sql, values, as_if_large=True))
        scans = [step for step in steps if step.get("Relation Name", "").startswith("claim_transitions")]
        assert {step["Relation Name"] for step in scans if step["Actual Loops"]} == {"claim_transitions_first"}, sql
        assert all(step["Node Type"].startswith(("Index", "Bitmap")) for step in scans), scans
