"""Test databases on both engines: each template is built once and copied for every test that needs it."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import psycopg

from countinghouse.admins.actions import add_admin, open_session
from countinghouse.admins.passwords import hash_password
from countinghouse.audit.actions import COMMAND
from countinghouse.core.db import Database, Transaction
from countinghouse.core.migrate import migrate
from countinghouse.settings import Settings, with_driver
from tests.event_loop import run

PASSWORD = "correct horse battery"


@dataclass(frozen=True)
class Template:
    """A database to copy, and the session tokens of the admins who are signed in, by username."""

    url: str
    tokens: dict[str, str]


def _sign_in_two(url: str) -> dict[str, str]:
    settings = Settings(database_url=url, _env_file=None)
    password_hash = hash_password(PASSWORD)

    async def sign_in(transaction: Transaction) -> dict[str, str]:
        tokens = {}
        for name in ("asha", "ravi"):
            admin = await add_admin(transaction, COMMAND, name, password_hash)
            session = await open_session(transaction, COMMAND, admin.id, settings, new_device=False)
            tokens[name] = session.token
        return tokens

    database = Database(settings.database)
    tokens = run(database.write(sign_in))
    database.close()
    return tokens


@dataclass(frozen=True)
class Place:
    """Where the databases of one engine are created and copied: a folder of files, or a PostgreSQL server."""

    folder: Path
    server_url: str | None

    def blank(self) -> str:
        name = f"desk_{uuid4().hex}"
        if self.server_url is None:
            return f"sqlite:///{self.folder}/{name}.db"
        return self._create(self.server_url, name, "template0")

    def copied(self, template: Template) -> str:
        """The template must have no open connections."""
        if self.server_url is None:
            copy = self.blank()
            shutil.copyfile(template.url.removeprefix("sqlite:///"), copy.removeprefix("sqlite:///"))
            return copy
        return self._create(self.server_url, f"desk_{uuid4().hex}", template.url.rsplit("/", 1)[1])

    def remove(self, url: str) -> None:
        name = url.rsplit("/", 1)[1]
        if self.server_url is None:
            for found in self.folder.glob(f"{name}*"):
                # What a killed restore leaves is a folder.
                shutil.rmtree(found) if found.is_dir() else found.unlink()
            return
        with psycopg.connect(self.server_url, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    @staticmethod
    def _create(server_url: str, name: str, template: str) -> str:
        with psycopg.connect(server_url, autocommit=True) as connection:
            # The default strategy copies page by page through the write-ahead log, which takes twice as long.
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY')
        return server_url.rsplit("/", 1)[0] + f"/{name}"


def migrated_template(place: Place) -> Template:
    """All tables, without any rows."""
    url = place.blank()
    database = Database(with_driver(url))
    migrate(database)
    # Closing the last connection merges SQLite's write-ahead log into the main file, so copying that file is enough.
    database.close()
    return Template(url, {})


def desk_template(place: Place, migrated: Template) -> Template:
    """An empty desk with two admins, both signed in: the cost of argon2 is paid once, not in every test."""
    url = place.copied(migrated)
    return Template(url, _sign_in_two(url))
