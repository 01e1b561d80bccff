"""Migrated databases of both kinds, made by the migrations once and copied for every test."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import psycopg

from countinghouse.admins.actions import add_admin, open_session
from countinghouse.admins.passwords import hash_password
from countinghouse.audit.actions import COMMAND
from countinghouse.core.database import Database
from countinghouse.core.migrate import migrate
from countinghouse.settings import Settings

PASSWORD = "correct horse battery"


@dataclass(frozen=True)
class Template:
    """An empty desk with two admins, both signed in: argon2 is paid for once, not in every test."""

    tokens: dict[str, str]
    url: str


def _settle_in(url: str) -> dict[str, str]:
    settings = Settings(database_url=url, _env_file=None)
    database = Database(settings.database)
    migrate(database)
    tokens = {}
    password_hash = hash_password(PASSWORD)
    with database.writing() as connection:
        for name in ("asha", "ravi"):
            admin = add_admin(connection, COMMAND, name, password_hash)
            tokens[name] = open_session(connection, COMMAND, admin.id, settings, new_device=False).token
    database.close()
    return tokens


def sqlite_template(folder: Path) -> Template:
    path = folder / "template.db"
    tokens = _settle_in(f"sqlite:///{path}")
    with suppress(FileNotFoundError):
        # Closing the last connection has folded the log into the file; a copy of the file alone is whole.
        (folder / "template.db-wal").unlink()
    return Template(tokens, str(path))


def postgres_template(server_url: str) -> Template:
    url = _create(server_url, "template_desk", "template0")
    return Template(_settle_in(url), url)


def _create(server_url: str, name: str, template: str) -> str:
    with psycopg.connect(server_url, autocommit=True) as connection:
        # Copied file by file: page by page through the log takes twice as long.
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY')
    return server_url.rsplit("/", 1)[0] + f"/{name}"


@contextmanager
def sqlite_copy(template: Template, folder: Path) -> Iterator[str]:
    path = folder / "desk.db"
    shutil.copyfile(template.url, path)
    yield f"sqlite:///{path}"


@contextmanager
def postgres_copy(template: Template | None, server_url: str) -> Iterator[str]:
    """Of the template, or of nothing at all."""
    name = f"desk_{uuid4().hex}"
    yield _create(server_url, name, "template_desk" if template else "template0")
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
