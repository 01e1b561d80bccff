import gc
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, cast

import httpcore2
import pytest
from argon2 import PasswordHasher

from countinghouse.admins import passwords
from countinghouse.settings import Settings
from tests.databases import Place, Template, desk_template, migrated_template
from tests.desk import Desk
from tests.direct_database import DirectDatabase
from tests.memory import fastest_folder
from tests.postgres_server import running_postgres

ENGINES = ("sqlite", "postgresql")


def pytest_collection_finish() -> None:
    """Modules and collected tests stay until the end. If the garbage collector does not look at them again and again,
    a run takes about a twentieth less processor time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def pytest_unconfigure() -> None:
    """Otherwise libraries report what was frozen as leaked."""
    gc.unfreeze()


@pytest.fixture(scope="session", autouse=True)
def passwords_are_hashed_quickly() -> Iterator[None]:
    """A hash states its own cost, so servers check these quickly too. tests/cli checks the cost in production."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))
        yield


@pytest.fixture(scope="session", autouse=True)
def certificates_are_loaded_once() -> Iterator[None]:
    """Every client would load them again, for 60 ms, also to call a server without TLS."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpcore2, "default_ssl_context", cache(httpcore2.default_ssl_context))
        yield


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with running_postgres() as url:
        yield url


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return cast(str, request.param)


# Session-wide resources of one engine have their own fixture: pytest tears down whatever depends on `engine` when that
# parameter changes, and with several workers each worker changes it more than once.
@pytest.fixture(scope="session")
def sqlite_place() -> Iterator[Place]:
    with fastest_folder() as folder:
        yield Place(folder, None)


@pytest.fixture(scope="session")
def postgresql_place(tmp_path_factory: pytest.TempPathFactory, postgres_url: str) -> Place:
    return Place(tmp_path_factory.mktemp("unused"), postgres_url)


@pytest.fixture
def place(engine: str, request: pytest.FixtureRequest) -> Place:
    return cast(Place, request.getfixturevalue(f"{engine}_place"))


@pytest.fixture(scope="session")
def made_templates() -> dict[tuple[str, str], Template]:
    return {}


@pytest.fixture
def template_of(
    engine: str, made_templates: dict[tuple[str, str], Template]
) -> Callable[[str, Callable[[], Template]], Template]:
    """Returns the template of this name on this engine, and builds it on first use."""

    def get_or_make(name: str, make: Callable[[], Template]) -> Template:
        if (engine, name) not in made_templates:
            made_templates[engine, name] = make()
        return made_templates[engine, name]

    return get_or_make


@pytest.fixture
def migrated(place: Place, template_of: Callable[..., Template]) -> Template:
    return template_of("migrated", lambda: migrated_template(place))


@pytest.fixture
def empty_desk(place: Place, migrated: Template, template_of: Callable[..., Template]) -> Template:
    return template_of("desk", lambda: desk_template(place, migrated))


@pytest.fixture
def filled_desk(
    place: Place, empty_desk: Template, template_of: Callable[..., Template]
) -> Callable[[str, Callable[[Desk], None]], Template]:
    """Builds a desk with rows that several tests start from. A test file returns it from its own `template` fixture."""

    def make(fill: Callable[[Desk], None]) -> Template:
        url = place.copied(empty_desk)
        desk = Desk(Settings(database_url=url, _env_file=None), empty_desk.tokens)
        fill(desk)
        desk.close()
        return Template(url, empty_desk.tokens)

    return lambda name, fill: template_of(name, lambda: make(fill))


@pytest.fixture
def template(empty_desk: Template) -> Template:
    """The initial state of a test's desk; a test file can override this fixture."""
    return empty_desk


@pytest.fixture
def database_url(place: Place, template: Template) -> Iterator[str]:
    """A separate database for this test."""
    url = place.copied(template)
    yield url
    place.remove(url)


@pytest.fixture
def blank_url(place: Place) -> Iterator[str]:
    """A database without tables."""
    url = place.blank()
    yield url
    place.remove(url)


@pytest.fixture
def database(place: Place, migrated: Template) -> Iterator[DirectDatabase]:
    """A migrated database without any rows."""
    url = place.copied(migrated)
    database = DirectDatabase(url)
    yield database
    database.close()
    place.remove(url)


@pytest.fixture
def open_desk(database_url: str, template: Template) -> Iterator[Callable[..., Desk]]:
    """Opens desks on this test's database, each with its own settings."""
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
