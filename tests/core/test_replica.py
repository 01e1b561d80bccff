"""Lists, totals and exports from a real streaming replica: never without what was just written."""

import secrets
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2
import psycopg
import pytest
from structlog.testing import capture_logs

from countinghouse.core.db import replica as replica_module
from countinghouse.settings import Settings
from drills.own_postgres import DURABLE
from tests.batches.batches import add_claims
from tests.cli.command import countinghouse
from tests.core.replica_pair import (
    ID,
    Pair,
    desk_with,
    ids_in_list,
    reasons_not_used,
    running_pair,
    wait_for_replica,
)
from tests.core.sockets import served
from tests.desk import Desk
from tests.exports.downloads import download, read_csv
from tests.live.screens import screen
from tests.postgres_server import running_replica
from tests.servers import running_server
from tests.waiting import eventually


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with running_pair(tmp_path_factory.mktemp("unused")) as made:
        yield made


@pytest.fixture
def url(pair: Pair) -> Iterator[str]:
    with pair.database() as made:
        yield made


@pytest.fixture
def desk(pair: Pair, url: str) -> Iterator[Desk]:
    settings = Settings(database_url=url, replica_url=pair.on_replica(url), _env_file=None)
    opened = Desk(settings, pair.template.tokens)
    yield opened
    opened.close()


def test_pages_totals_whole_lists_and_exports_are_read_on_the_replica(
    desk: Desk, pair: Pair, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for_replica(monkeypatch)
    ids = add_claims(desk, 30)
    assert ids_in_list(desk) == ids
    assert "claims" in pair.statements_on_replica(url)
    assert ids_in_list(desk, "/api/claims/all") == ids
    assert desk.get("/api/claims/totals").json()["count"] == 30
    assert sorted(row[ID] for row in read_csv(download(desk))[1:]) == ids
    # Had one of them failed there, the primary would have answered instead.
    assert desk.app_database.replica is not None
    assert desk.app_database.replica.is_in_use


def test_an_admin_always_reads_their_own_write(desk: Desk) -> None:
    ids = add_claims(desk, 60)

    def move_and_read(claim_id: str) -> bool:
        moved = desk.move(claim_id, "Accepted")
        assert moved.status_code == 200
        found = {row["_id"]: row for row in desk.get("/api/claims/all?limit=200").json()}
        return bool(found[claim_id]["status"] == "Accepted")

    with ThreadPoolExecutor(6) as threads:
        assert all(threads.map(move_and_read, ids))


def test_a_replica_that_is_behind_is_not_asked(desk: Desk, pair: Pair, url: str) -> None:
    first = desk.add_claim()
    with pair.paused(url):
        claim_id = desk.add_claim()
        assert pair.ask_replica(url, f"SELECT count(*) FROM claims WHERE id = '{claim_id}'") == 0
        assert desk.move(claim_id, "Accepted").status_code == 200
        assert ids_in_list(desk) == sorted([first, claim_id])
        assert ids_in_list(desk, "/api/claims/all?status=Accepted") == [claim_id]
        assert [row[ID] for row in read_csv(download(desk))[1:]].count(claim_id) == 1


def test_an_instance_that_did_not_write_reads_it_too(desk: Desk, pair: Pair, url: str) -> None:
    """No instance remembers who wrote: any of them asks the primary how far the replica must be."""
    claim_id = desk.add_claim()
    with running_server(url, COUNTINGHOUSE_REPLICA_URL=pair.on_replica(url)) as other, pair.paused(url):
        assert desk.move(claim_id, "Accepted").status_code == 200
        headers = {"Authorization": f"Bearer {desk.tokens['asha']}"}
        answer = httpx2.get(f"{other}/api/claims/all?limit=5&status=Accepted", headers=headers, timeout=30)
        assert [row["_id"] for row in answer.json()] == [claim_id]


def test_a_screen_that_hears_of_a_change_finds_it_in_its_list(desk: Desk) -> None:
    ids = add_claims(desk, 10)
    with served(desk.client.app) as port, screen(port, desk.tokens["ravi"]) as opened:
        for claim_id in ids:
            assert desk.move(claim_id, "Accepted").status_code == 200
            opened.wait_for_change_of(claim_id)
            accepted = desk.get("/api/claims/all?limit=20&status=Accepted", by="ravi").json()
            assert claim_id in [row["_id"] for row in accepted]


def test_the_primary_answers_while_the_replica_is_down_and_the_replica_again_afterwards(
    desk: Desk, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica_module, "AWAY_SECONDS", 0.2)
    ids = add_claims(desk, 5)
    assert ids_in_list(desk) == ids
    pair.replica.stop("immediate")
    try:
        with capture_logs() as logged:
            for path in ("/api/claims/all?limit=200", "/api/claims/all"):
                assert ids_in_list(desk, path) == ids
        assert "replica_not_used" in [line["event"] for line in logged]
    finally:
        pair.replica.restart("fast")

    def is_used_again() -> bool:
        assert ids_in_list(desk) == ids
        return desk.app_database.replica is not None and desk.app_database.replica.is_in_use

    eventually(is_used_again)


def test_the_primary_answers_while_the_replica_is_frozen(desk: Desk, pair: Pair) -> None:
    ids = add_claims(desk, 5)
    assert ids_in_list(desk) == ids
    pair.signal_replica(signal.SIGSTOP)
    try:
        assert ids_in_list(desk) == ids
        assert ids_in_list(desk, "/api/claims/all") == ids
    finally:
        pair.signal_replica(signal.SIGCONT)


def test_a_primary_is_not_taken_for_its_replica(pair: Pair, url: str) -> None:
    with desk_with(pair, url, url) as desk:
        ids = add_claims(desk, 3)
        assert ids_in_list(desk) == ids
        assert desk.app_database.replica is not None
        assert not desk.app_database.replica.is_in_use


def test_a_replica_that_was_promoted_is_not_read_on_its_open_connections(
    pair: Pair, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for_replica(monkeypatch)
    with running_replica(pair.primary_url, DURABLE) as (_promoted, promoted_url):
        promoted = f"{promoted_url.rsplit('/', 1)[0]}/{url.rsplit('/', 1)[1]}"
        with desk_with(pair, url, promoted) as desk, psycopg.connect(promoted, autocommit=True) as connection:
            ids = add_claims(desk, 3)
            assert ids_in_list(desk) == ids
            assert desk.app_database.replica is not None
            assert desk.app_database.replica.is_in_use
            # From here on the primary writes nothing: what was replayed before the promotion is enough.
            with psycopg.connect(url, autocommit=True) as primary:
                primary.execute("CHECKPOINT")
                end = primary.execute("SELECT CAST(pg_current_wal_insert_lsn() AS text)").fetchone()
            assert end is not None
            replayed = f"SELECT pg_last_wal_replay_lsn() >= '{end[0]}'".encode()
            eventually(lambda: connection.execute(replayed).fetchone() == (True,))
            assert connection.execute("SELECT pg_promote()").fetchone() == (True,)
            connection.execute("UPDATE claims SET status = 'Rejected'")
            with capture_logs() as logged:
                assert ids_in_list(desk, "/api/claims/all?limit=20&status=Pending") == ids
        assert [line["reason"] for line in logged] == ["it leads to a primary, not to a replica"]


def doctor(url: str, replica_url: str) -> str:
    return " ".join(countinghouse(url, "doctor", COUNTINGHOUSE_REPLICA_URL=replica_url).stdout.split())


def test_another_database_of_the_same_replica_is_never_read(
    pair: Pair, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = pair.place.copied(pair.template)
    try:
        eventually(lambda: pair.has_database(other))
        names = [one.rsplit("/", 1)[1] for one in (other, url)]
        with desk_with(pair, url, pair.on_replica(other)) as desk:
            # Said once, not for each list.
            assert reasons_not_used(desk, monkeypatch) == [f"it leads to the database {names[0]}, not to {names[1]}"]
        assert f"leads to the database {names[0]}, not to {names[1]}" in doctor(url, pair.on_replica(other))
    finally:
        pair.place.remove(other)


def test_the_replica_of_a_primary_that_went_another_way_is_never_read(
    pair: Pair, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a failover: the replica follows the old primary, and has more of its log than the new one wrote."""
    with running_replica(pair.primary_url, DURABLE) as (_promoted, promoted_url):
        primary = f"{promoted_url.rsplit('/', 1)[0]}/{url.rsplit('/', 1)[1]}"
        with psycopg.connect(primary, autocommit=True) as connection:
            assert connection.execute("SELECT pg_promote()").fetchone() == (True,)
        with psycopg.connect(pair.primary_url, autocommit=True) as connection:
            for _ in range(4):
                connection.execute("CREATE TABLE filler AS SELECT 1; DROP TABLE filler")
                connection.execute("SELECT pg_switch_wal()")
            ahead = connection.execute("SELECT CAST(pg_current_wal_flush_lsn() AS text)").fetchone()
        assert ahead is not None
        eventually(lambda: bool(pair.ask_replica(url, f"SELECT pg_last_wal_replay_lsn() >= '{ahead[0]}'")))
        with desk_with(pair, primary, pair.on_replica(url)) as desk:
            assert reasons_not_used(desk, monkeypatch) == ["it is on timeline 1 of the log, the primary on 2"]
        assert "is on timeline 1 of the log, the primary on 2" in doctor(primary, pair.on_replica(url))


def test_a_role_that_may_not_compare_the_servers_reads_on_the_primary(
    pair: Pair, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An ordinary role may, unless somebody has revoked it."""
    role = f"clerk_{secrets.token_hex(4)}"

    def as_role(one: str) -> str:
        return one.replace(f"//{one.split('//')[1].split('@')[0]}@", f"//{role}:{role}@")

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{role}'".encode())
        for kind in ("TABLES", "SEQUENCES"):
            connection.execute(f"GRANT ALL ON ALL {kind} IN SCHEMA public TO {role}".encode())
        try:
            with desk_with(pair, as_role(url), as_role(pair.on_replica(url)), url) as desk:
                eventually(lambda: pair.has_database(as_role(url)))
                assert reasons_not_used(desk, monkeypatch) == []
            connection.execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM public")
            with desk_with(pair, as_role(url), as_role(pair.on_replica(url)), url) as desk:
                (reason,) = reasons_not_used(desk, monkeypatch)
            assert "permission denied for function pg_control_system" in reason
            printed = doctor(as_role(url), as_role(pair.on_replica(url)))
            assert "permission denied for function pg_control_system" in printed
            assert "GRANT EXECUTE" in printed
        finally:
            connection.execute(f"DROP OWNED BY {role}; DROP ROLE {role}".encode())


def test_doctor_says_what_is_wrong_with_the_replica(pair: Pair, url: str, postgres_url: str) -> None:
    assert "follows the primary" in doctor(url, pair.on_replica(url))
    assert "leads to a primary" in doctor(url, url)
    assert "leads to another cluster" in doctor(url, postgres_url)
    assert "does not answer" in doctor(url, "postgresql://nobody:wrong@127.0.0.1:1/none")
