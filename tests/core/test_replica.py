"""Lists, totals and exports from a real streaming replica: never without what was just written."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest

from countinghouse.core.db import replica as replica_module
from countinghouse.settings import Settings
from drills.own_postgres import DURABLE
from tests.batches.batches import add_claims
from tests.cli.command import countinghouse
from tests.core.sockets import served
from tests.databases import Place, Template, desk_template, migrated_template
from tests.desk import Desk
from tests.exports.downloads import download, read_csv
from tests.live.screens import screen
from tests.pgbouncer import running_pgbouncer, through
from tests.postgres_cluster import Cluster
from tests.postgres_server import running_cluster, running_replica
from tests.servers import running_server
from tests.waiting import eventually


@dataclass(frozen=True)
class Pair:
    primary_url: str
    replica_url: str
    replica: Cluster
    place: Place
    template: Template

    def on_replica(self, url: str) -> str:
        return f"{self.replica_url.rsplit('/', 1)[0]}/{url.rsplit('/', 1)[1]}"

    def ask_replica(self, url: str, query: str) -> Any:
        with psycopg.connect(self.on_replica(url), autocommit=True) as connection:
            found = connection.execute(query.encode()).fetchone()
            return found[0] if found else None

    def statements_on_replica(self, url: str) -> str:
        """The last statement of each of the desk's connections."""
        return str(
            self.ask_replica(
                url,
                "SELECT string_agg(query, ' ') FROM pg_stat_activity WHERE application_name = 'countinghouse' "
                "AND datname = current_database()",
            )
        )

    @contextmanager
    def paused(self, url: str) -> Iterator[None]:
        self.ask_replica(url, "SELECT pg_wal_replay_pause()")
        try:
            yield
        finally:
            self.ask_replica(url, "SELECT pg_wal_replay_resume()")

    def signal_replica(self, sent: signal.Signals) -> None:
        postmaster = int((self.replica.directory / "data" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        for process in (postmaster, *map(int, children)):
            os.kill(process, sent)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with running_cluster(DURABLE) as (_cluster, url), running_replica(url, DURABLE) as (replica, replica_url):
        place = Place(tmp_path_factory.mktemp("unused"), url)
        yield Pair(url, replica_url, replica, place, desk_template(place, migrated_template(place)))


@pytest.fixture
def url(pair: Pair) -> Iterator[str]:
    made = pair.place.copied(pair.template)
    # A new database is on the replica a moment later; until then the primary answers, which is another test.
    eventually(lambda: _has_database(pair, made))
    yield made
    pair.place.remove(made)


def _has_database(pair: Pair, url: str) -> bool:
    try:
        return bool(pair.ask_replica(url, "SELECT true"))
    except psycopg.OperationalError:
        return False


@pytest.fixture
def desk(pair: Pair, url: str) -> Iterator[Desk]:
    settings = Settings(database_url=url, replica_url=pair.on_replica(url), _env_file=None)
    opened = Desk(settings, pair.template.tokens)
    yield opened
    opened.close()


def ids_in_list(desk: Desk, path: str = "/api/claims/all?limit=200") -> list[str]:
    answer = desk.get(path)
    assert answer.status_code == 200, answer.text
    return sorted(row["_id"] for row in answer.json())


def test_pages_totals_whole_lists_and_exports_are_read_on_the_replica(desk: Desk, pair: Pair, url: str) -> None:
    ids = add_claims(desk, 30)
    assert ids_in_list(desk) == ids
    assert "claims" in pair.statements_on_replica(url)
    assert ids_in_list(desk, "/api/claims/all") == ids
    assert desk.get("/api/claims/totals").json()["count"] == 30
    assert sorted(row[-1] for row in read_csv(download(desk))[1:]) == ids
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
        assert [row[-1] for row in read_csv(download(desk))[1:]].count(claim_id) == 1


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
        for path in ("/api/claims/all?limit=200", "/api/claims/all"):
            assert ids_in_list(desk, path) == ids
        assert desk.app_database.replica is not None
        assert not desk.app_database.replica.is_in_use
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
    desk = Desk(Settings(database_url=url, replica_url=url, _env_file=None), pair.template.tokens)
    try:
        ids = add_claims(desk, 3)
        assert ids_in_list(desk) == ids
        assert desk.app_database.replica is not None
        assert not desk.app_database.replica.is_in_use
    finally:
        desk.close()


def test_doctor_says_what_is_wrong_with_the_replica(pair: Pair, url: str, postgres_url: str) -> None:
    def told(replica_url: str) -> str:
        return " ".join(countinghouse(url, "doctor", COUNTINGHOUSE_REPLICA_URL=replica_url).stdout.split())

    assert "follows the primary" in told(pair.on_replica(url))
    assert "leads to a primary" in told(url)
    assert "leads to another cluster" in told(postgres_url)
    assert "does not answer" in told("postgresql://nobody:wrong@127.0.0.1:1/none")


def test_the_same_through_pgbouncer(pair: Pair, url: str) -> None:
    with (
        running_pgbouncer(pair.primary_url, pool_size=3) as primary,
        running_pgbouncer(pair.replica_url, pool_size=3) as replica,
    ):
        settings = Settings(
            database_url=through(primary, url),
            replica_url=through(replica, pair.on_replica(url)),
            transaction_pooling=True,
            _env_file=None,
        )
        desk = Desk(settings, pair.template.tokens, direct_url=url)
        try:
            for claim_id in add_claims(desk, 10):
                assert desk.move(claim_id, "Accepted").status_code == 200
                accepted = desk.get("/api/claims/all?limit=20&status=Accepted").json()
                assert claim_id in [row["_id"] for row in accepted]
            assert desk.app_database.replica is not None
            assert desk.app_database.replica.is_in_use
        finally:
            desk.close()
