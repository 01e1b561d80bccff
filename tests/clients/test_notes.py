"""Notes about a client: stored with author and time, and never changed."""

import pytest
from httpx2 import Response
from sqlalchemy import select

from countinghouse.clients.tables import client_notes
from tests.desk import Desk
from tests.engines import on_one_engine


def write(desk: Desk, user_id: str, text: object, *, by: str | None = "asha") -> Response:
    return desk.call("POST", f"/api/clients/{user_id}/notes", by=by, json={"text": text})


def test_a_note_is_returned_stored_and_logged(desk: Desk) -> None:
    user_id = desk.add_user()
    answer = write(desk, user_id, "Called on Monday.\n\nThe account is her husband's.")
    note = answer.json()
    assert answer.status_code == 201
    assert set(note) == {"_id", "text", "by", "at"}
    assert (note["text"], note["by"]) == ("Called on Monday.\n\nThe account is her husband's.", "asha")
    assert desk.get(f"/api/clients/{user_id}").json()["notes"] == [note]
    (row,) = desk.audit("client.noted")
    assert (row.actor, row.address, row.subject_id) == ("asha", "203.0.113.9", user_id)
    assert (row.before, row.after) == (None, {"note": note["_id"], "text": note["text"]})


def test_notes_are_listed_newest_first_with_their_author_and_only_for_their_client(desk: Desk) -> None:
    user_id, other_id = desk.add_user(), desk.add_user()
    for text, by in (("one", "asha"), ("two", "ravi"), ("three", "asha")):
        write(desk, user_id, text, by=by)
    write(desk, other_id, "of another")
    notes = desk.get(f"/api/clients/{user_id}", by="ravi").json()["notes"]
    assert [(note["text"], note["by"]) for note in notes] == [("three", "asha"), ("two", "ravi"), ("one", "asha")]


@on_one_engine
@pytest.mark.parametrize("text", ["", "a" * 2001, " a", "a\n", "a\u0000b", "a\u200bb", "a\r\nb", None, 5])
def test_an_invalid_note_is_refused_with_a_message(desk: Desk, text: object) -> None:
    user_id = desk.add_user()
    answer = write(desk, user_id, text)
    assert answer.status_code == 422
    assert answer.json()["fields"]["text"].endswith(".")
    assert (desk.rows(select(client_notes)), desk.audit("client.noted")) == ([], [])


def test_a_note_of_the_maximum_length_is_accepted(desk: Desk) -> None:
    user_id = desk.add_user()
    assert write(desk, user_id, "अ" * 2000).status_code == 201


@pytest.mark.parametrize("user_id", ["0" * 24, "nonsense", "é" * 24])
def test_a_note_about_an_unknown_client_is_not_found(desk: Desk, user_id: str) -> None:
    answer = write(desk, user_id, "Hello.")
    assert (answer.status_code, answer.json()["code"]) == (404, "client_not_found")
    assert (desk.rows(select(client_notes)), desk.audit("client.noted")) == ([], [])


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_a_note_cannot_be_changed_or_deleted(desk: Desk, method: str) -> None:
    user_id = desk.add_user()
    note = write(desk, user_id, "Hello.").json()
    for path in (f"/api/clients/{user_id}/notes", f"/api/clients/{user_id}/notes/{note['_id']}"):
        assert desk.call(method, path, json={"text": "Bye."}).status_code in (404, 405)
    assert desk.get(f"/api/clients/{user_id}").json()["notes"] == [note]
