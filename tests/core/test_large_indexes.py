"""The index of a large table is built after the migrations, beside readers and writers, and again if interrupted."""

import signal
from collections.abc import Callable, Iterator

import psycopg
import pytest
from sqlalchemy import Index, text

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claims
from countinghouse.cli import migrating
from countinghouse.core.indexes import built_later
from countinghouse.core.migrate import migrate, newest_revision
from countinghouse.monitoring.checks import check_surroundings
from tests.core.dying import migrate_with_index
from tests.databases import Template
from tests.desk import Desk
from tests.event_loop import run
from tests.partitions.history import grow_log, partitioned, parts_of, work
from tests.waiting import PATIENCE_SECONDS, eventually
from tests.warm import forks

IS_VALID = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('ix_claims_later')"
BUILDS = "SELECT phase FROM pg_stat_progress_create_index"
WAITS = "waiting for old snapshots"

pytestmark = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("with history", work)


@pytest.fixture
def index() -> Iterator[Index]:
    """As `tables.py` of a later release declares it, and as its migration makes it on SQLite only."""
    later = built_later(Index("ix_claims_later", claims.c.address, claims.c.created_at.desc()))
    yield later
    claims.indexes.discard(later)


def test_a_build_that_is_killed_is_repeated_and_nobody_waits_for_it(
    desk: Desk, database_url: str, index: Index
) -> None:
    with psycopg.connect(database_url) as reader, psycopg.connect(database_url, autocommit=True) as observer:
        # An export that began before: the build waits for it, after it has read the table.
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT count(*) FROM users")
        building = forks.Process(target=migrate_with_index, args=(database_url,))
        building.start()
        eventually(lambda: observer.execute(BUILDS).fetchone() == (WAITS,))
        assert observer.execute(IS_VALID).fetchone() == (False,)
        # Readers and writers of the table go on.
        assert desk.move(desk.add_claim(), "Accepted").status_code == 200
        assert desk.get("/api/claims/all").status_code == 200
        building.kill()
        building.join(PATIENCE_SECONDS)
        assert building.exitcode == -signal.SIGKILL
        eventually(lambda: observer.execute(BUILDS).fetchone() is None)
        assert observer.execute(IS_VALID).fetchone() == (False,)
        reader.rollback()
        built: list[str] = []
        migrate(desk.database, built.append)
        assert built == [index.name]
        assert observer.execute(IS_VALID).fetchone() == (True,)
        migrate(desk.database, built.append)
        assert built == [index.name]


@pytest.mark.usefixtures("index")
def test_what_another_process_builds_is_left_to_it(desk: Desk, database_url: str) -> None:
    with psycopg.connect(database_url) as reader, psycopg.connect(database_url, autocommit=True) as observer:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT count(*) FROM users")
        building = forks.Process(target=migrate_with_index, args=(database_url,))
        building.start()
        eventually(lambda: observer.execute(BUILDS).fetchone() == (WAITS,))
        # As a second server does when it starts.
        migrate(desk.database)
        assert observer.execute(IS_VALID).fetchone() == (False,)
        reader.rollback()
        building.join(PATIENCE_SECONDS)
        assert building.exitcode == 0
        assert observer.execute(IS_VALID).fetchone() == (True,)


@pytest.mark.usefixtures("index")
def test_the_plan_and_doctor_tell_of_it(
    desk: Desk, database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COUNTINGHOUSE_DATABASE_URL", database_url)
    migrating.migrate(plan=True)
    assert capsys.readouterr().out.splitlines() == [
        f"From {newest_revision()} to {newest_revision()}: 0 to apply.",
        "  ix_claims_later  at once, 10 rows of claims",
        "This index is built concurrently: nobody waits for it. If it is interrupted, the next countinghouse migrate, "
        "or start of a server, builds it again.",
    ]
    checks = run(check_surroundings(desk.settings, desk.app_database))
    messages = {check["title"]: check["message"] for check in checks}
    assert messages["Indexes"] == "ix_claims_later is not built yet: run countinghouse migrate."
    migrating.migrate(plan=False)
    assert capsys.readouterr().out.splitlines()[1].endswith("Built while requests went on.")
    assert desk.rows(text(IS_VALID)) == [(True,)]


def test_each_partition_gets_its_index_and_so_do_later_ones(desk: Desk, database_url: str) -> None:
    partitioned(database_url)
    later = built_later(Index("ix_audit_log_later", audit_log.c.address, audit_log.c.seq))
    valid = text(
        "SELECT relname FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indisvalid AND relname ~ 'later'"
    )
    try:
        # What a build that was interrupted leaves.
        desk.change(text('CREATE INDEX "ix_audit_log_later_of_audit_log_first" ON audit_log_first (address, seq)'))
        migrate(desk.database)
        built = {row[0] for row in desk.rows(valid)}
        assert built == {
            "ix_audit_log_later",
            *(f"ix_audit_log_later_of_{part}" for part in parts_of(desk, "audit_log")),
        }
        grow_log(desk, 200)
        partitioned(database_url)
        of_parts = text("SELECT count(*) FROM pg_inherits WHERE inhparent = 'ix_audit_log_later'::regclass")
        assert desk.rows(of_parts) == [(len(parts_of(desk, "audit_log")),)]
    finally:
        audit_log.indexes.discard(later)
