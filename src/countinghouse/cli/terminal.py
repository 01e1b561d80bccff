"""Shared by all commands: output, secrets that are typed, opening the database, and exit codes."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import structlog
import typer
from psycopg.errors import InsufficientPrivilege
from pydantic import ValidationError
from rich.console import Console
from sqlalchemy.exc import DBAPIError

from countinghouse import __version__
from countinghouse.cli.upgrading import upgrade
from countinghouse.core.db import DATABASE_ERRORS, Database
from countinghouse.core.encoding import refuse_other_encoding
from countinghouse.core.errors import Conflict, InvalidInput, Refusal
from countinghouse.core.unfinished import refuse_unfinished
from countinghouse.core.upgrade_connections import CannotMigrate
from countinghouse.monitoring.examining import examine
from countinghouse.settings import Settings, misspelt_settings

REFUSED = 1
HAS_DATA = 3

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def complain(sentence: str) -> None:
    """Prints on one line, however narrow the terminal, because the output may also go to a log."""
    err.print(sentence, markup=False, soft_wrap=True)


def sentence_of(error: BaseException) -> str:
    """Of an error of the database's driver."""
    reason = " ".join(str(error).split())
    if isinstance(error, InsufficientPrivilege):
        return f"The role of this database URL may not do that ({reason}): use the owner's database URL."
    return f"The database did not answer: {reason}"


def announce(settings: Settings, event: str, sentence: str, **facts: str) -> None:
    """One line of the server's start. It is JSON if the log is, and always has the version."""
    if settings.log_format == "json":
        say = getattr(structlog.get_logger(), settings.log_level)
        say(event, version=__version__, message=sentence, **facts)
    else:
        out.print(" ".join((f"Countinghouse {__version__}: {sentence}", *facts.values())), markup=False, soft_wrap=True)


def load_settings() -> Settings:
    try:
        # If it were ignored, logins would come from anywhere although LOGIN_NETWORK names an office.
        for name, meant in misspelt_settings().items():
            complain(f"{name} is no setting. If {meant} is meant, rename it; otherwise remove it.")
            raise typer.Exit(REFUSED)
        return Settings()
    except ValidationError as error:
        for problem in error.errors():
            name = (
                "_".join(("COUNTINGHOUSE", *(str(part).upper() for part in problem["loc"]))) if problem["loc"] else ""
            )
            complain(f"{name} {problem['msg'].removeprefix('Value error, ')}".strip())
        raise typer.Exit(REFUSED) from error
    except UnicodeDecodeError as error:
        complain(f"{Path.cwd()}/.env is not written in UTF-8: save it in UTF-8.")
        raise typer.Exit(REFUSED) from error
    except OSError as error:
        complain(f"{Path.cwd()}/.env cannot be read: {error.strerror}.")
        raise typer.Exit(REFUSED) from error


@contextmanager
def migrated_database() -> Iterator[Database]:
    with opened_database() as database:
        for sentence in upgrade(database):
            complain(sentence)
        yield database


@contextmanager
def existing_database() -> Iterator[Database]:
    """For commands that only read. They refuse a database that is not there, or that a restore has not finished."""
    with opened_database() as database:
        asyncio.run(refuse_unfinished(database))
        if database.file is not None and not database.file.exists():
            raise InvalidInput({"database": f"There is no database at {database.file}."})
        yield database


@contextmanager
def opened_database() -> Iterator[Database]:
    """Opens the database without migrating it."""
    database = Database.from_settings(load_settings())
    try:
        with errors_as_sentences():
            # Before any command reads or changes anything else.
            asyncio.run(refuse_other_encoding(database))
            yield database
    finally:
        database.close()


@contextmanager
def errors_as_sentences(*more: type[Exception]) -> Iterator[None]:
    """Prints what an operator can do something about as a sentence, not as a traceback; these exceptions too."""
    said: tuple[type[Exception], ...] = (CannotMigrate, Refusal, *more)
    try:
        yield
    except said as error:
        complain(str(error))
        is_full = isinstance(error, Conflict) and error.code == "database_has_data"
        raise typer.Exit(HAS_DATA if is_full else REFUSED) from error
    except (DBAPIError, *DATABASE_ERRORS) as error:
        # Upgrades use SQLAlchemy's connections, which wrap the driver's error.
        cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
        complain(sentence_of(cause))
        raise typer.Exit(REFUSED) from error
    except OSError as error:
        complain(f"{error.strerror or error}{f': {error.filename}' if error.filename else '.'}")
        raise typer.Exit(REFUSED) from error


def read_secret(name: str) -> str:
    """From standard input, never from an argument: those are visible in the shell's history and in process lists."""
    try:
        return sys.stdin.buffer.readline().decode().rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise InvalidInput({name: f"The {name} is not written in UTF-8; type it again."}) from error


# The maximum number of problems printed per check, so that one check does not hide the others.
MOST_PRINTED = 20


def say_check(title: str, problems: Sequence[str]) -> bool:
    """Prints the result of a check. Returns whether there is no problem."""
    out.print(f"{'wrong' if problems else 'fine '}  {title}", markup=False)
    for problem in problems[:MOST_PRINTED]:
        out.print(f"       {problem}", markup=False, soft_wrap=True)
    if len(problems) > MOST_PRINTED:
        out.print(f"       and {len(problems) - MOST_PRINTED:,} more", markup=False)
    return not problems


async def say_examined(database: Database) -> bool:
    """Prints the result of every check of the stored data. Returns whether there is no problem."""
    is_well = True
    async for title, problems in examine(database):
        is_well = say_check(title, problems) and is_well
    return is_well
