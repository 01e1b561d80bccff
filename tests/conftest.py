from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from countinghouse.core.database import Database
from countinghouse.core.migrate import migrate
from countinghouse.settings import Settings
from tests.databases import Template, postgres_copy, postgres_template, sqlite_copy, sqlite_template
from tests.desk import Desk
from tests.postgres_server import running_postgres

ENGINES = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with running_postgres() as url:
        yield url


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return cast(str, request.param)


# One fixture for each engine: what hangs on `engine` itself ends when the engine changes, and of several workers each
# changes it more than once.
@pytest.fixture(scope="session")
def template_on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Template:
    return sqlite_template(tmp_path_factory.mktemp("template"))


@pytest.fixture(scope="session")
def template_on_postgresql(postgres_url: str) -> Template:
    return postgres_template(postgres_url)


@pytest.fixture
def template(engine: str, request: pytest.FixtureRequest) -> Template:
    return cast(Template, request.getfixturevalue(f"template_on_{engine}"))


@pytest.fixture
def database_url(template: Template, engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A database of this test's own: migrated, with two admins signed in and nothing else."""
    if engine == "sqlite":
        with sqlite_copy(template, tmp_path) as url:
            yield url
    else:
        with postgres_copy(template, request.getfixturevalue("postgres_url")) as url:
            yield url


@pytest.fixture
def blank_url(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A database with nothing in it at all, not even tables."""
    if engine == "sqlite":
        yield f"sqlite:///{tmp_path}/blank.db"
    else:
        with postgres_copy(None, request.getfixturevalue("postgres_url")) as url:
            yield url


@pytest.fixture
def database(blank_url: str) -> Iterator[Database]:
    """A migrated database without a single row."""
    database = Database(Settings(database_url=blank_url, _env_file=None).database)
    migrate(database)
    yield database
    database.close()


@pytest.fixture
def open_desk(database_url: str, template: Template) -> Iterator[Callable[..., Desk]]:
    """Opens desks on this test's database, each with settings of its own."""
    opened: list[Desk] = []

    def open_one(peer: str = "203.0.113.9", **settings: Any) -> Desk:
        desk = Desk(Settings(database_url=database_url, _env_file=None, **settings), template.tokens, peer)
        opened.append(desk)
        return desk

    yield open_one
    for desk in opened:
        desk.close()


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    return open_desk()
