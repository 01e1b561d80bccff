"""The database of a check is removed by an ordinary role, also while PostgreSQL itself works in it."""

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import make_url

from countinghouse.backups.throwaway import throwaway_place
from countinghouse.settings import Settings
from tests.postgres_server import SETTINGS, running_cluster
from tests.waiting import eventually

# Autovacuum begins at once and never ends by itself.
EAGER = SETTINGS | {
    "autovacuum_naptime": "1s",
    "autovacuum_vacuum_threshold": "0",
    "autovacuum_vacuum_cost_delay": "100ms",
    "autovacuum_vacuum_cost_limit": "1",
}


@pytest.fixture
def server_url() -> Iterator[str]:
    with running_cluster(EAGER) as (_cluster, url):
        yield url


def test_the_database_of_a_check_is_removed_while_autovacuum_works_in_it(server_url: str) -> None:
    with psycopg.connect(server_url, autocommit=True) as superuser:
        superuser.execute("CREATE ROLE desk LOGIN CREATEDB PASSWORD 'desk'")
        url = make_url(server_url).set(username="desk", password="desk").render_as_string(hide_password=False)

        def is_vacuumed() -> bool:
            working = "SELECT FROM pg_stat_activity WHERE backend_type = 'autovacuum worker' AND datname LIKE %s"
            return superuser.execute(working, ["countinghouse_check_%"]).fetchone() is not None

        with throwaway_place(Settings(database_url=url), "postgresql") as place:
            with psycopg.connect(place.database_url, autocommit=True) as connection:
                connection.execute("CREATE TABLE filled AS SELECT repeat('x', 500) FROM generate_series(1, 50000)")
                connection.execute("DELETE FROM filled")
            eventually(is_vacuumed)
        left = superuser.execute("SELECT datname FROM pg_database WHERE starts_with(datname, 'countinghouse_check_')")
        assert left.fetchall() == []
