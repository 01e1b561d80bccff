"""`countinghouse admin …`, through the real command."""

from sqlalchemy import select

from countinghouse.admins.tables import admins
from tests.admins.authenticator import Authenticator
from tests.admins.second_factors import set_up_passkey
from tests.cli.command import countinghouse
from tests.databases import PASSWORD
from tests.desk import Desk

NEW_PASSWORD = "another horse battery"


def _log_in(desk: Desk, username: str, password: str) -> int:
    return desk.call("POST", "/api/admin/login", by=None, json={"username": username, "password": password}).status_code


def test_an_admin_added_by_the_command_can_log_in(database_url: str, desk: Desk) -> None:
    ended = countinghouse(database_url, "admin", "add", "Meera", "--password-stdin", given=f"{NEW_PASSWORD}\n")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "Meera may log in now, as Owner.\n", "")
    assert _log_in(desk, "meera", NEW_PASSWORD) == 200
    (added,) = [row for row in desk.audit("admin.added") if row.after["username"] == "Meera"]
    assert (added.actor, added.after["role"]) == ("command", "owner")
    assert NEW_PASSWORD not in str(desk.rows(select(admins)))
    (stored,) = desk.rows(select(admins.c.password_hash).where(admins.c.username == "Meera"))
    assert stored.password_hash.startswith("$argon2id$v=19$m=65536,t=3,p=1$")
    assert stored.password_hash not in str(added.after)
    listed = countinghouse(database_url, "admin", "list").stdout
    assert [name for name in ("asha", "Meera", "ravi") if name in listed] == ["asha", "Meera", "ravi"]
    assert "active" in listed


def test_a_new_password_ends_all_sessions_and_replaces_the_old_one(database_url: str, desk: Desk) -> None:
    assert desk.get("/api/admin/me").status_code == 200
    ended = countinghouse(database_url, "admin", "passwd", "ASHA", "--password-stdin", given=f"{NEW_PASSWORD}\n")
    assert ended.returncode == 0, ended.stderr
    assert desk.get("/api/admin/me").status_code == 401
    assert desk.get("/api/admin/me", by="ravi").status_code == 200
    assert _log_in(desk, "asha", PASSWORD) == 401
    assert _log_in(desk, "asha", NEW_PASSWORD) == 200
    assert len(desk.audit("admin.password_changed")) == 1


def test_disabling_an_admin_ends_their_sessions_and_enabling_does_not_restore_them(
    database_url: str, desk: Desk
) -> None:
    assert countinghouse(database_url, "admin", "disable", "asha").returncode == 0
    assert desk.get("/api/admin/me").status_code == 401
    assert _log_in(desk, "asha", PASSWORD) == 401
    assert "disabled 20" in " ".join(countinghouse(database_url, "admin", "list").stdout.split())
    assert countinghouse(database_url, "admin", "enable", "asha").returncode == 0
    assert desk.get("/api/admin/me").status_code == 401
    assert _log_in(desk, "asha", PASSWORD) == 200
    assert [row.verb for row in desk.audit() if row.verb.startswith("admin.")][-2:] == [
        "admin.disabled",
        "admin.enabled",
    ]


def test_lost_factors_are_reset_by_the_command(database_url: str, desk: Desk) -> None:
    assert set_up_passkey(desk, Authenticator()).status_code == 201
    assert _log_in(desk, "asha", PASSWORD) == 401
    ended = countinghouse(database_url, "admin", "reset-factors", "asha")
    said = "asha logs in with the password only; their sessions have ended.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, said, "")
    assert desk.get("/api/admin/me").status_code == 401
    assert _log_in(desk, "asha", PASSWORD) == 200
    assert desk.audit("admin.factors_reset")[-1].actor == "command"
