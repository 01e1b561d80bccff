"""Links that set a password: they work once, for a day, and for nobody who was disabled since."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, text, update

from countinghouse.admins.actions import add_admin
from countinghouse.admins.inviting import offer_setup
from countinghouse.admins.passwords import hash_password
from countinghouse.admins.tables import admins, invitations, known_devices, sessions
from countinghouse.audit.actions import COMMAND
from countinghouse.core.times import now
from tests import databases
from tests.cli.command import countinghouse
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.event_loop import run

PASSWORD = "a long enough sentence"


def invite(desk: Desk, username: str = "Meera", role: str = "reviewer") -> str:
    made = desk.call("POST", "/api/admins", json={"username": username, "role": role})
    assert made.status_code == 201, made.text
    return token_of(made.json()["link"])


def token_of(link: str) -> str:
    path, _, token = link.partition("#")
    assert path == "/Invite"
    return token


def accept(desk: Desk, token: str, **more: str) -> Any:
    body = {"token": token, "password": PASSWORD} | more
    return desk.call("POST", "/api/invitations/accept", by=None, json=body)


def log_in(desk: Desk, username: str, password: str = PASSWORD) -> Any:
    return desk.call("POST", "/api/admin/login", by=None, json={"username": username, "password": password})


def listed(desk: Desk) -> dict[str, tuple[str, str]]:
    return {one["username"]: (one["role"], one["state"]) for one in desk.get("/api/admins").json()}


def test_an_invited_admin_sets_a_password_and_logs_in_with_their_role(desk: Desk) -> None:
    token = invite(desk)
    assert listed(desk)["Meera"] == ("reviewer", "invited")
    opened = desk.call("POST", "/api/invitations/open", by=None, json={"token": token})
    assert opened.json() == {"username": "Meera", "role": "reviewer"}
    assert accept(desk, token).json() == {"username": "Meera"}
    assert log_in(desk, "Meera").json()["role"] == "reviewer"
    assert listed(desk)["Meera"] == ("reviewer", "active")
    assert accept(desk, token).status_code == 410
    assert [row.actor for row in desk.audit("admin.invited")] == ["asha"]
    assert token not in str(desk.rows(text("SELECT * FROM audit_log")))


def test_the_longest_name_can_be_invited_and_the_invitation_withdrawn(desk: Desk) -> None:
    name = "M" * 64
    token = invite(desk, name)
    assert desk.call("DELETE", f"/api/admins/invitations/{name}").status_code == 204
    assert accept(desk, token).status_code == 410
    (row,) = desk.audit("admin.invitation_withdrawn")
    assert row.before == {"username": name}


def test_of_two_requests_with_one_link_one_succeeds(desk: Desk) -> None:
    token = invite(desk)
    with ThreadPoolExecutor(4) as pool:
        statuses = sorted(pool.map(lambda _: int(accept(desk, token).status_code), range(4)))
    assert statuses == [201, 410, 410, 410]


def test_of_invitations_of_one_name_at_the_same_moment_the_last_one_stays(desk: Desk) -> None:
    for _ in range(5):
        with ThreadPoolExecutor(4) as pool:
            tokens = list(pool.map(lambda _: invite(desk), range(4)))
        opened = [desk.call("POST", "/api/invitations/open", by=None, json={"token": token}) for token in tokens]
        assert sorted(answer.status_code for answer in opened) == [200, 410, 410, 410]


@pytest.mark.parametrize("spoil", ["expired", "replaced", "withdrawn", "made up"])
def test_a_link_that_no_longer_works_says_so(desk: Desk, spoil: str) -> None:
    token = invite(desk)
    if spoil == "expired":
        desk.change(update(invitations).values(expires_at=now()))
    elif spoil == "replaced":
        invite(desk)
    elif spoil == "withdrawn":
        assert desk.call("DELETE", "/api/admins/invitations/meera").status_code == 204
    else:
        token = "x" * 43
    for answer in (accept(desk, token), desk.call("POST", "/api/invitations/open", by=None, json={"token": token})):
        assert (answer.status_code, answer.json()["code"]) == (410, "invitation_gone")
    assert desk.rows(select(admins.c.id).where(admins.c.username == "Meera")) == []


def test_a_weak_password_is_refused_and_the_link_stays(desk: Desk) -> None:
    token = invite(desk)
    assert accept(desk, token, password="short").status_code == 422
    assert accept(desk, token).status_code == 201


def test_a_reset_link_changes_the_password_and_ends_the_sessions(desk: Desk) -> None:
    ravi = next(one for one in desk.get("/api/admins").json() if one["username"] == "ravi")
    link = desk.call("POST", f"/api/admins/{ravi['_id']}/reset").json()["link"]
    assert desk.get("/api/admin/me", by="ravi").status_code == 200
    assert accept(desk, token_of(link)).json() == {"username": "ravi"}
    assert desk.get("/api/admin/me", by="ravi").status_code == 401
    assert log_in(desk, "ravi").status_code == 200


def test_a_disabled_admin_does_not_come_back_through_an_old_link(desk: Desk) -> None:
    ravi = next(one for one in desk.get("/api/admins").json() if one["username"] == "ravi")
    link = desk.call("POST", f"/api/admins/{ravi['_id']}/reset").json()["link"]
    assert desk.call("POST", f"/api/admins/{ravi['_id']}/disable").status_code == 204
    assert accept(desk, token_of(link)).status_code == 410
    assert listed(desk)["ravi"] == ("owner", "disabled")
    assert desk.call("POST", f"/api/admins/{ravi['_id']}/enable").status_code == 204
    assert desk.call("PUT", f"/api/admins/{ravi['_id']}/role", json={"role": "payer"}).status_code == 204
    assert listed(desk)["ravi"] == ("payer", "active")
    asha = next(one for one in desk.get("/api/admins").json() if one["username"] == "asha")
    refused = desk.call("POST", f"/api/admins/{asha['_id']}/disable")
    assert (refused.status_code, refused.json()["code"]) == (409, "last_owner")


def reset_link(desk: Desk, username: str = "ravi") -> str:
    """The token of a link with which the admin sets a new password."""
    of = {one["username"]: one["_id"] for one in desk.get("/api/admins").json()}
    made = desk.call("POST", f"/api/admins/{of[username]}/reset")
    assert made.status_code == 201, made.text
    return token_of(made.json()["link"])


def test_adding_an_admin_ends_the_invitation_of_that_name(desk: Desk, database_url: str) -> None:
    token = invite(desk, role="viewer")
    added = countinghouse(database_url, "admin", "add", "meera", "--password-stdin", given="the real password\n")
    assert added.returncode == 0, added.stderr
    assert accept(desk, token).status_code == 410
    assert log_in(desk, "meera", "the real password").json()["role"] == "owner"


def test_an_invitation_never_changes_the_password_of_an_admin(desk: Desk) -> None:
    token = invite(desk)
    (made,) = desk.rows(select(invitations))
    run(
        desk.database.write(lambda transaction: add_admin(transaction, COMMAND, "MEERA", hash_password("the real one")))
    )
    # As if it had been made at the same moment.
    desk.change(insert(invitations).values(made._mapping))
    for answer in (desk.call("POST", "/api/invitations/open", by=None, json={"token": token}), accept(desk, token)):
        assert (answer.status_code, answer.json()["code"]) == (409, "admin_exists")
        assert "is already an admin" in answer.json()["message"]
    assert log_in(desk, "Meera", "the real one").status_code == 200


def change_password_by_command(desk: Desk) -> None:
    ended = countinghouse(desk.settings.database_url, "admin", "passwd", "ravi", "--password-stdin", given=PASSWORD)
    assert ended.returncode == 0, ended.stderr


def change_own_password(desk: Desk) -> None:
    body = {"current": databases.PASSWORD, "new": PASSWORD}
    assert desk.call("PUT", "/api/admin/account/password", by="ravi", json=body).status_code == 204


def change_role_of(desk: Desk) -> None:
    (ravi,) = (one["_id"] for one in desk.get("/api/admins").json() if one["username"] == "ravi")
    for role in ("payer", "owner"):
        assert desk.call("PUT", f"/api/admins/{ravi}/role", json={"role": role}).status_code == 204


def disable_and_enable(desk: Desk) -> None:
    (ravi,) = (one["_id"] for one in desk.get("/api/admins").json() if one["username"] == "ravi")
    for change in ("disable", "enable"):
        assert desk.call("POST", f"/api/admins/{ravi}/{change}").status_code == 204


@pytest.mark.parametrize(
    "change", [change_password_by_command, change_own_password, change_role_of, disable_and_enable]
)
def test_a_reset_link_ends_when_the_account_changes(desk: Desk, change: Callable[[Desk], None]) -> None:
    token = reset_link(desk)
    change(desk)
    answer = accept(desk, token, password="the attacker's password")
    assert (answer.status_code, answer.json()["code"]) == (410, "invitation_gone")
    assert log_in(desk, "ravi", "the attacker's password").status_code == 401


def test_a_reset_link_is_no_invitation_to_withdraw(desk: Desk) -> None:
    token = reset_link(desk)
    assert desk.call("DELETE", "/api/admins/invitations/ravi").status_code == 204
    assert desk.audit("admin.invitation_withdrawn") == []
    assert accept(desk, token).status_code == 201


def test_a_name_too_long_for_the_audit_log_is_refused(desk: Desk) -> None:
    refused = desk.call("POST", "/api/admins", json={"username": "m" * 65, "role": "viewer"})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_input")
    assert accept(desk, invite(desk, "m" * 64)).status_code == 201
    assert log_in(desk, "m" * 64).status_code == 200


def test_the_first_owner_chooses_a_name_once(desk: Desk) -> None:
    assert run(desk.database.write(offer_setup)) is None
    for table in (known_devices, sessions, admins):
        desk.change(delete(table))
    first, second = (run(desk.database.write(offer_setup)) for _ in range(2))
    assert first is not None
    assert second is not None
    assert accept(desk, token_of(first), username="owner").status_code == 410
    assert accept(desk, token_of(second)).status_code == 422
    assert accept(desk, token_of(second), username="command").status_code == 422
    assert accept(desk, token_of(second), username="Asha").json() == {"username": "Asha"}
    assert log_in(desk, "Asha").json()["role"] == "owner"
    assert accept(desk, token_of(second), username="other").status_code == 410


@on_one_engine
@pytest.mark.parametrize(
    "name",
    [
        "m\u0435\u0435ra",  # Cyrillic letters among Latin ones
        "\u0441ommand",
        "\u0430\u0455\u04bb\u0430",  # asha, all in Cyrillic letters
        "\u0391SHA",  # a Greek capital letter
        "\u0251sha",  # the Latin letter alpha
        "a\u0966sha",  # the zero of Devanagari
        "\u237asha",  # a symbol like an alpha
        "\uff43ommand",
        "key\u00a0app",
        # In the address by which it is withdrawn, these lead elsewhere.
        "..",
        "a/b",
        "a\\b",
    ],
)
def test_a_name_that_can_be_mistaken_is_refused(desk: Desk, name: str) -> None:
    refused = desk.call("POST", "/api/admins", json={"username": name, "role": "viewer"})
    assert (refused.status_code, list(refused.json()["fields"])) == (422, ["username"]), refused.text
    assert refused.json()["fields"]["username"].startswith("username ")


@on_one_engine
@pytest.mark.parametrize("name", ["Zoë", "José-María O'Neil 2", "आशा", "ஆஷா 1", "Strauß", "asha.k@desk"])
def test_a_name_in_letters_of_one_script_is_accepted(desk: Desk, name: str) -> None:
    assert accept(desk, invite(desk, name)).json() == {"username": name}
    assert log_in(desk, name).status_code == 200
