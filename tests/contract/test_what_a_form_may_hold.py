"""A form is read as strictly as JSON, and its refusal names the field."""

from typing import Any

import pytest

from tests.desk import Desk
from tests.engines import on_one_engine
from tests.pictures import qr_png

PICTURE = ("qrImage", ("code.png", qr_png(), "image/png"))


@on_one_engine
@pytest.mark.parametrize(
    ("path", "name", "fields", "files", "sentence"),
    [
        ("upload", "name", {"name": b"Desk \xff\xfe"}, [], "name is not in UTF-8."),
        ("read", "upiId", {"upiId": b"d\xe9sk@okbank"}, [], "upiId is not in UTF-8."),
        ("upload", "qrImage", {}, [PICTURE], "qrImage is sent twice."),
        ("read", "second", {}, [("second", PICTURE[1])], "second is not known here."),
    ],
)
def test_a_refused_form_is_told_which_field_is_wrong(
    desk: Desk, path: str, name: str, fields: Any, files: Any, sentence: str
) -> None:
    sent = {"name": "Desk 1", "upiId": "desk1@okbank"} if path == "upload" else {}
    answer = desk.call("POST", f"/api/qr/{path}", data=sent | fields, files=[PICTURE, *files])
    assert (answer.status_code, answer.json().get("fields")) == (422, {name: sentence})
    assert desk.get("/api/qr").json() == []


@on_one_engine
def test_a_form_in_utf_8_is_kept_as_it_was_sent(desk: Desk) -> None:
    fields = {"name": "मेज़ é".encode(), "upiId": b"desk1@okbank"}
    answer = desk.call("POST", "/api/qr/upload", data=fields, files=[PICTURE])
    assert (answer.status_code, answer.json()["name"]) == (200, "मेज़ é")


@on_one_engine
def test_a_form_of_another_media_type_lacks_its_fields(desk: Desk) -> None:
    answer = desk.call("POST", "/api/qr/read", data={"upiId": "desk1@okbank"})
    assert (answer.status_code, answer.json()["fields"]) == (422, {"qrImage": "qrImage is required."})
