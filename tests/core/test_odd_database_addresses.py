"""Names and passwords of a database with spaces and other characters, as a URL encodes them."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from tests.backups.kept import command

NAME, PASSWORD = "a desk's role", "correct horse+%20\"staple'/@"


@pytest.fixture
def odd_url(postgres_url: str) -> Iterator[str]:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        name = sql.Identifier(NAME)
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEDB PASSWORD {}").format(name, sql.Literal(PASSWORD)))
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE template0").format(name, name))
        address = make_url(postgres_url)
        yield f"postgresql://{quote(NAME)}:{quote(PASSWORD, safe='')}@{address.host}:{address.port}/{quote(NAME)}"
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
        connection.execute(sql.SQL("DROP ROLE {}").format(name))


def test_a_role_and_a_password_may_contain_spaces_and_quotes(odd_url: str, tmp_path: Path) -> None:
    file = tmp_path / "desk.backup"
    for words in (("migrate",), ("backup", file), ("backup", "--check", file), ("doctor",)):
        ended = command(odd_url, tmp_path, *words)
        assert ended.returncode == 0, (words, ended.stdout, ended.stderr)
