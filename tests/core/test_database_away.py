"""The database goes away and comes back; the desk says so in its one shape and works again by itself."""

from datetime import timedelta

import psycopg
import pytest
from sqlalchemy import update

from countinghouse.admins.tables import sessions
from countinghouse.core.database import Database
from countinghouse.core.times import now
from tests.core.refusals import assert_refused
from tests.desk import Desk


def _hide_file(desk: Desk) -> None:
    file = desk.database.file
    assert file is not None
    desk.database.close()
    file.rename(file.with_suffix(".away"))
    file.mkdir()


def _bring_file_back(database: Database) -> None:
    file = database.file
    assert file is not None
    file.rmdir()
    file.with_suffix(".away").rename(file)


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_sqlite_file_away_and_back(desk: Desk) -> None:
    _hide_file(desk)
    for path in ("/readyz", "/api/users", "/api/claims/all"):
        assert_refused(desk.get(path), 503, "database_unavailable")
    assert desk.get("/healthz").status_code == 200
    _bring_file_back(desk.database)
    assert desk.get("/readyz").status_code == 200
    assert desk.get("/api/users").status_code == 200


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_postgresql_connections_that_were_cut_are_replaced_before_they_are_used(
    desk: Desk, database_url: str, request: pytest.FixtureRequest
) -> None:
    assert desk.get("/api/users").status_code == 200
    name = database_url.rsplit("/", 1)[1]
    with psycopg.connect(request.getfixturevalue("postgres_url"), autocommit=True) as operator:
        cut = operator.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", (name,)
        ).fetchall()
    assert cut, "there was no connection to cut"
    assert desk.get("/readyz").status_code == 200
    assert desk.get("/api/users").status_code == 200


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_postgresql_gone_altogether(desk: Desk, database_url: str, request: pytest.FixtureRequest) -> None:
    name = database_url.rsplit("/", 1)[1]
    desk.database.close()
    with psycopg.connect(request.getfixturevalue("postgres_url"), autocommit=True) as operator:
        operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        sentence = assert_refused(desk.get("/api/users"), 503, "database_unavailable")
        assert name not in sentence
        assert_refused(desk.get("/readyz"), 503, "database_unavailable")
        assert desk.get("/healthz").status_code == 200
        operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
    assert desk.get("/api/users").status_code == 200


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_postgresql_that_only_reads(desk: Desk, database_url: str, request: pytest.FixtureRequest) -> None:
    """As a standby does that nobody has promoted yet: the desk reads on, and says of a change that it is not stored."""
    name = database_url.rsplit("/", 1)[1]
    claim_id, note = desk.add_claim(), f"/api/clients/{desk.add_user()}/notes"
    # So long ago that the next read would write it down.
    desk.change(update(sessions).values(last_seen_at=now() - timedelta(minutes=2)))
    desk.database.engine.dispose()
    with psycopg.connect(request.getfixturevalue("postgres_url"), autocommit=True) as operator:
        operator.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
        assert_refused(desk.move(claim_id, "Accepted"), 503, "database_unavailable")
        assert_refused(desk.call("POST", note, json={"text": "Called."}), 503, "database_unavailable")
        assert desk.get("/api/claims/all").json()[0]["status"] == "Pending"
