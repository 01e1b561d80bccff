"""A row without an id gets one made of its values, mobile and account number included. Whoever sees masked numbers must
not see it: the few hidden digits would be found by trying."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response

from countinghouse.admins.permissions import Role
from tests.admins.test_masked_numbers import HIDING, set_role
from tests.contract.test_no_whole_number_is_shown import files_of, text_of
from tests.desk import Desk
from tests.importing.command import Ran, run_import
from tests.importing.test_bad_rows import CLAIM, PURCHASE, USER


def without_id(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in ("id", "user")} | {"mobile": USER["mobile"]}


def run(desk: Desk, folder: Path) -> Ran:
    folder.mkdir()
    rows = {
        "users": [without_id(USER)],
        "orders": [without_id(PURCHASE) | {"id": "p1", "upiId": "631902345679"}, without_id(PURCHASE)],
        "claims": [without_id(CLAIM)],
    }
    for name, documents in rows.items():
        (folder / f"{name}.json").write_text("\n".join(map(json.dumps, documents)))
    return run_import(desk.settings.database_url, folder / "run", str(folder))


@pytest.mark.parametrize("role", HIDING)
def test_it_is_masked_where_numbers_are_and_a_second_import_finds_its_rows(
    desk: Desk, tmp_path: Path, role: Role
) -> None:
    assert run(desk, tmp_path / "first").outcomes == {
        "users": (1, 0, 0, 0),
        "purchases": (2, 0, 0, 0),
        "claims": (1, 0, 0, 0),
    }
    user = desk.get("/api/users").json()[0]["_id"]
    claim = desk.get("/api/claims/all").json()[0]["_id"]
    bought = [row["_id"] for row in desk.get("/api/purchases/all").json()]
    paths = [f"/api/clients/{user}", f"/api/claims/{claim}", f"/api/claims/{claim}/details"]
    paths += [f"/api/purchases/{purchase}/details" for purchase in bought]

    def answers() -> list[Response]:
        return [*map(desk.get, paths), *files_of(desk)]

    known = [desk.get(paths[0]).json()["user"]["externalId"], desk.get(paths[1]).json()["externalId"]]
    known += [desk.get(path).json()["externalId"] for path in paths[3:]]
    derived = [one for one in known if one != "p1"]
    values = [("createdAt", "2026-01-05T00:00:00Z"), ("mobile", USER["mobile"]), ("username", USER["username"])]
    digest = hashlib.sha256(json.dumps(["users", *values], separators=(",", ":")).encode()).hexdigest()[:32]
    assert (len(derived), derived[0]) == (3, f"row {digest}")

    set_role(desk, role)
    for answer in answers():
        assert answer.status_code == 200
        assert [one for one in derived if one[4:] in text_of(answer)] == [], answer.url
    assert [desk.get(path).text.count('"row ••••"') for path in paths[:3]] == [1, 1, 1]
    again = run(desk, tmp_path / "second").outcomes
    assert again == {"users": (0, 1, 0, 0), "purchases": (0, 2, 0, 0), "claims": (0, 1, 0, 0)}
