"""What `countinghouse admin` refuses, in one sentence. Runs in this process, because starting the command is slow."""

from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from countinghouse.admins.tables import admins
from countinghouse.cli import app
from tests.desk import Desk

LONG_ENOUGH = "another horse battery\n"

pytestmark = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def _place(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COUNTINGHOUSE_DATABASE_URL", database_url)


def _refusal_of(*words: str, given: str | bytes = LONG_ENOUGH) -> str:
    ended = CliRunner().invoke(app, ["admin", *words], input=given)
    assert ended.exit_code == 1, ended.output
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1, ended.stderr
    return ended.stderr.strip()


@pytest.fixture(autouse=True)
def _nothing_changes(desk: Desk) -> object:
    everything = desk.rows(select(admins)), desk.audit()
    yield
    assert (desk.rows(select(admins)), desk.audit()) == everything
    assert desk.get("/api/admin/me").status_code == 200


@pytest.mark.parametrize("words", [("meera", "secret of meera"), ("meera", "--password", "secret of meera")])
def test_a_password_cannot_be_passed_as_an_argument(words: tuple[str, ...]) -> None:
    ended = CliRunner().invoke(app, ["admin", "add", *words], input=LONG_ENOUGH * 2)
    assert ended.exit_code == 2


@pytest.mark.parametrize("given", ["nine char\n", "\n", "", "x" * 1025])
def test_a_password_too_short_or_too_long_is_refused(given: str) -> None:
    for words in (("add", "meera"), ("passwd", "asha")):
        message = _refusal_of(*words, "--password-stdin", given=given)
        assert message == "A password must have 10 to 1024 characters."


def test_a_password_that_is_not_utf_8_is_refused() -> None:
    message = _refusal_of("add", "meera", "--password-stdin", given=b"\xff" * 12 + b"\n")
    assert message == "The password is not written in UTF-8; type it again."


@pytest.mark.parametrize("name", ["asha", "ASHA", "aSha", "\uff21sha"])
def test_a_taken_name_is_refused_in_any_spelling(name: str) -> None:
    assert _refusal_of("add", name, "--password-stdin") == f"An admin named {name} already exists."


@pytest.mark.parametrize("name", ["a\x07b", "a\u202eb", "a\nb", " ab", "", "\udcff", "x" * 101])
def test_an_invalid_name_is_refused(name: str) -> None:
    for words in (("add", name, "--password-stdin"), ("passwd", name, "--password-stdin"), ("disable", name)):
        assert _refusal_of(*words).endswith(".")


def test_an_unknown_name_is_refused() -> None:
    for words in (("disable", "nobody"), ("enable", "nobody"), ("passwd", "nobody", "--password-stdin")):
        assert _refusal_of(*words) == "There is no admin named nobody."


def test_enabling_an_active_admin_is_refused() -> None:
    assert _refusal_of("enable", "asha") == "asha is not disabled."
