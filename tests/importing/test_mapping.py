"""The map is guessed from names, shown, corrected by a small file, and saved."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from countinghouse.claims.tables import claims
from countinghouse.users.tables import users
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.importing.command import Ran, run_import
from tests.importing.test_bad_rows import CLAIM, PURCHASE, USER

pytestmark = on_one_engine


def run(desk: Desk, tmp_path: Path, *words: str, **collections: list[dict[str, Any]]) -> Ran:
    source = tmp_path / "source"
    source.mkdir(exist_ok=True)
    for name, documents in collections.items():
        (source / f"{name}.json").write_text("\n".join(json.dumps(document) for document in documents))
    return run_import(desk.settings.database_url, tmp_path / f"run{len(list(tmp_path.iterdir()))}", str(source), *words)


@pytest.mark.parametrize(
    ("collection", "document"),
    [
        ("Customers", {"_id": "u1", "full_name": "Om Rao", "Phone Number": "9805756092", "created_at": "2026-01-05"}),
        ("tbl17", {"uid": "x", "id": "u1", "UserName": "Om Rao", "MOBILE": 9805756092, "date": "2026-01-05"}),
        ("members", {"id": "u1", "profile": {"name": "Om Rao"}, "contact": "9805756092", "joinedAt": 1767571200000}),
    ],
)
def test_users_are_recognised_under_many_names(desk: Desk, tmp_path: Path, collection: str, document: Any) -> None:
    ran = run(desk, tmp_path, **{collection: [document]})
    assert ran.code == 0, ran.output + ran.errors
    (user,) = desk.rows(select(users))
    assert (user.username, user.mobile, user.external_id) == ("Om Rao", "9805756092", "u1")


def test_the_map_is_shown_with_what_is_left_out(desk: Desk, tmp_path: Path) -> None:
    ran = run(desk, tmp_path, "--dry-run", users=[{**USER, "password": "secret"}], sessions=[{"_id": "s1", "data": 1}])
    assert "users.json: users is imported as users:" in ran.output
    assert "not imported: password" in ran.output
    assert "sessions.json: sessions is not imported." in ran.output
    assert "secret" not in ran.output


def test_a_missing_field_is_named_before_anything_is_imported(desk: Desk, tmp_path: Path) -> None:
    without = {name: value for name, value in CLAIM.items() if name != "address"}
    ran = run(desk, tmp_path, users=[USER], purchases=[PURCHASE], claims=[without])
    assert ran.code == 1
    assert "claims: no field for address. Name it in the map, or give a default." in ran.errors
    assert desk.rows(select(users)) == []


@pytest.mark.parametrize("ending", ["json", "toml"])
def test_a_small_file_corrects_the_guess(desk: Desk, tmp_path: Path, ending: str) -> None:
    paid = {**CLAIM, "status": "success", "createdAt": "07/01/2026"}
    del paid["address"]
    correction = tmp_path / f"map.{ending}"
    correction.write_text(
        json.dumps(
            {
                "collections": {
                    "payments": {
                        "noun": "claims",
                        "defaults": {"address": "not known"},
                        "statuses": {"success": "Paid"},
                        "dateFormat": "%d/%m/%Y",
                    }
                }
            }
        )
        if ending == "json"
        else '[collections.payments]\nnoun = "claims"\ndateFormat = "%d/%m/%Y"\n'
        '[collections.payments.defaults]\naddress = "not known"\n[collections.payments.statuses]\nsuccess = "Paid"\n'
    )
    ran = run(desk, tmp_path, "--map", str(correction), users=[USER], purchases=[PURCHASE], payments=[paid])
    assert ran.code == 0, ran.output + ran.errors
    (claim,) = desk.rows(select(claims))
    assert (claim.status, claim.address) == ("Paid", "not known")


def test_a_saved_map_has_the_same_effect(desk: Desk, tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    first = run(
        desk, tmp_path, "--dry-run", "--save-map", str(saved), users=[USER], purchases=[PURCHASE], claims=[CLAIM]
    )
    assert json.loads(saved.read_text())["collections"]["users"]["fields"]["mobile"] == "mobile"
    second = run(desk, tmp_path, "--map", str(saved), users=[USER], purchases=[PURCHASE], claims=[CLAIM])
    assert second.outcomes == first.outcomes


def test_spaces_around_text_are_removed_only_on_request(desk: Desk, tmp_path: Path) -> None:
    spaced = {**USER, "username": " Om Rao "}
    assert run(desk, tmp_path, users=[spaced]).outcomes["users"] == (0, 0, 0, 1)
    (tmp_path / "map.json").write_text('{"trim": true}')
    assert run(desk, tmp_path, "--map", str(tmp_path / "map.json"), users=[spaced]).outcomes["users"] == (1, 0, 0, 0)
    assert [user.username for user in desk.rows(select(users))] == ["Om Rao"]


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("{", "neither JSON nor TOML"),
        ('{"collections": {"user": {}}}', "has only these collections: users"),
        ('{"collections": {"users": {"fields": {"phone": "mobile"}}}}', "users have only these fields"),
        ('{"collections": {"users": {"noun": "people"}}}', "noun must be"),
        ('{"colections": {}}', "colections is not known here."),
        ('{"timeZone": "Mars"}', "like Asia/Kolkata"),
    ],
)
def test_a_wrong_map_is_refused_with_a_sentence(desk: Desk, tmp_path: Path, written: str, reason: str) -> None:
    (tmp_path / "map.json").write_text(written)
    ran = run(desk, tmp_path, "--map", str(tmp_path / "map.json"), users=[USER])
    assert ran.code == 1
    assert reason in ran.errors


@pytest.mark.parametrize("words", [("/nowhere",), ("picture.png",)])
def test_what_cannot_be_read_is_refused_with_a_sentence(desk: Desk, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    paths = [str(tmp_path / word) for word in words]
    ran = run_import(desk.settings.database_url, tmp_path / "run", *paths)
    assert ran.code == 1
    assert "Traceback" not in ran.errors
