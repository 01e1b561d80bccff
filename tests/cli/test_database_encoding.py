"""A PostgreSQL database whose encoding is not UTF8 cannot store every name: it is refused before anything changes."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from countinghouse.core import migrate as machinery
from countinghouse.core.migrate import newest_revision, read_revision
from countinghouse.settings import Settings
from tests.cli.command import countinghouse
from tests.contract.rows import CLAIMS
from tests.core.earlier_desks import desk_at
from tests.databases import Place
from tests.desk import Desk
from tests.event_loop import run
from tests.postgres_cluster import find_programs
from tests.servers import free_port

COMMANDS = (("serve", "--port"), ("migrate",), ("migrate", "--plan"), ("doctor",), ("key", "list"))


def create(place: Place, encoding: str) -> str:
    assert place.server_url is not None
    name = f"desk_{uuid4().hex}"
    with psycopg.connect(place.server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}' LOCALE 'C'")
    return place.server_url.rsplit("/", 1)[0] + f"/{name}"


@pytest.fixture(params=["LATIN1", "SQL_ASCII"])
def encoding(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def other_url(postgresql_place: Place, encoding: str) -> Iterator[str]:
    url = create(postgresql_place, encoding)
    yield url
    postgresql_place.remove(url)


def tables(url: str) -> int:
    with psycopg.connect(url, client_encoding="utf8") as connection:
        row = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_another_encoding_is_refused_before_a_table_is_made(other_url: str, encoding: str, words: tuple[str]) -> None:
    port = (str(free_port()),) if words[0] == "serve" else ()
    ended = countinghouse(other_url, *words, *port)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"This database has the encoding {encoding}, and Countinghouse needs UTF8.")
    assert "pg_dump" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert tables(other_url) == 0


def test_a_desk_of_an_earlier_release_is_left_as_it_is_and_can_be_copied(
    postgresql_place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = create(postgresql_place, "LATIN1")
    # That release had no index with an expression that LATIN1 cannot store.
    monkeypatch.setattr(machinery, "build_indexes", lambda *_: None)
    with desk_at("0028", url, tmp_path, monkeypatch) as desk:
        desk.add_claim()
        assert countinghouse(url, "migrate").returncode == 1
        assert run(desk.database.read(read_revision)) == "0028"
        tokens = desk.tokens
    copied = create(postgresql_place, "UTF8")
    dumped = subprocess.run([f"{find_programs()}/pg_dump", f"--dbname={url}"], capture_output=True, check=True)
    restored = [f"{find_programs()}/psql", "--quiet", "--set=ON_ERROR_STOP=1", f"--dbname={copied}"]
    subprocess.run(restored, input=dumped.stdout, stdout=subprocess.DEVNULL, check=True)
    migrated = countinghouse(copied, "migrate")
    assert (migrated.returncode, migrated.stderr) == (0, "")
    assert countinghouse(copied, "doctor").returncode == 0
    desk = Desk(Settings(database_url=copied, _env_file=None), tokens)
    assert run(desk.database.read(read_revision)) == newest_revision()
    assert len(desk.get(CLAIMS).json()) == 1
    desk.close()
    for made in (url, copied):
        postgresql_place.remove(made)


def test_a_role_with_another_client_encoding_changes_nothing(postgresql_place: Place) -> None:
    url = create(postgresql_place, "UTF8")
    with psycopg.connect(url, autocommit=True) as connection:
        name = url.rsplit("/", 1)[1]
        connection.execute(f"ALTER DATABASE {name} SET client_encoding = 'LATIN1'")
    assert countinghouse(url, "migrate").returncode == 0
    assert countinghouse(url, "doctor").returncode == 0
    postgresql_place.remove(url)
