"""The database becomes unavailable and comes back: the desk reports it in the common error shape, and then recovers."""

from datetime import timedelta

import psycopg
import pytest
from sqlalchemy import update

from countinghouse.admins.tables import sessions
from countinghouse.core.times import now
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.direct_database import DirectDatabase


def _hide_file(desk: Desk) -> None:
    file = desk.database.file
    assert file is not None
    desk.app_database.close()
    desk.database.close()
    file.rename(file.with_suffix(".away"))
    file.mkdir()


def _bring_file_back(database: DirectDatabase) -> None:
    file = database.file
    assert file is not None
    file.rmdir()
    file.with_suffix(".away").rename(file)


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_the_desk_recovers_after_the_sqlite_file_was_missing(desk: Desk) -> None:
    _hide_file(desk)
    for path in ("/readyz", "/api/users", "/api/claims/all"):
        assert_refused(desk.get(path), 503, "database_unavailable")
    assert desk.get("/healthz").status_code == 200
    _bring_file_back(desk.database)
    assert desk.get("/readyz").status_code == 200
    assert desk.get("/api/users").status_code == 200


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_terminated_postgresql_connections_are_replaced_before_use(
    desk: Desk, database_url: str, request: pytest.FixtureRequest
) -> None:
    assert desk.get("/api/users").status_code == 200
    name = database_url.rsplit("/", 1)[1]
    with psycopg.connect(request.getfixturevalue("postgres_url"), autocommit=True) as operator:
        terminated = operator.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", (name,)
        ).fetchall()
    assert terminated, "there was no connection to terminate"
    assert desk.get("/readyz").status_code == 200
    assert desk.get("/api/users").status_code == 200


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_the_desk_recovers_after_postgresql_refused_connections(
    desk: Desk, database_url: str, request: pytest.FixtureRequest
) -> None:
    name = database_url.rsplit("/", 1)[1]
    desk.app_database.close()
    with psycopg.connect(request.getfixturevalue("postgres_url"), autocommit=True) as operator:
        operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        sentence = assert_refused(desk.get("/api/users"), 503, "database_unavailable")
        assert name not in sentence
        assert_refused(desk.get("/readyz"), 503, "database_unavailable")
        assert desk.get("/healthz").status_code == 200
        operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
    assert desk.get("/api/users").status_code == 200


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_read_only_postgresql_serves_reads_and_refuses_changes(
    desk: Desk, database_url: str, request: pytest.FixtureRequest
) -> None:
    """Like a standby that is not promoted yet: reads still work, and a change is reported as not stored."""
    name = database_url.rsplit("/", 1)[1]
    claim_id, note = desk.add_claim(), f"/api/clients/{desk.add_user()}/notes"
    # Long enough ago that the next read would update it.
    desk.change(update(sessions).values(last_seen_at=now() - timedelta(minutes=2)))
    desk.app_database.close()
    with psycopg.connect(request.getfixturevalue("postgres_url"), autocommit=True) as operator:
        operator.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
        assert_refused(desk.move(claim_id, "Accepted"), 503, "database_unavailable")
        assert_refused(desk.call("POST", note, json={"text": "Called."}), 503, "database_unavailable")
        assert desk.get("/api/claims/all?limit=5").json()[0]["status"] == "Pending"
