"""API keys: made once, shown once, limited by scope, network, expiry and rate, and revoked at once."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from countinghouse.core.times import iso, now
from countinghouse.keys.limits import MOST_COUNTED, RateLimit
from countinghouse.keys.tables import api_keys
from tests.cli.command import countinghouse
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.intake.pushing import a_user, add_key, outcomes, push, pushed


def test_a_key_is_shown_once_and_stored_as_a_hash(desk: Desk) -> None:
    body = {"name": "app", "scopes": ["read", "users:write"], "networks": ["203.0.113.0/24"]}
    answer = desk.call("POST", "/api/keys", json=body)
    assert answer.status_code == 201
    key, shown = answer.json()["key"], answer.json()["shown"]
    assert re.fullmatch(r"ch_live_[A-Za-z0-9]{32}", key)
    assert (shown["prefix"], shown["scopes"], shown["createdBy"]) == (key[:12], ["users:write", "read"], "asha")
    listed = desk.get("/api/keys")
    assert listed.json() == [shown]
    assert (shown["state"], shown["lastUsedAt"], shown["expiresAt"]) == ("active", None, None)
    everything = listed.text + str(desk.rows(select(api_keys))) + str(desk.audit())
    assert key not in everything
    (added,) = desk.audit("key.added")
    assert (added.actor, added.after["name"], added.after["scopes"]) == ("asha", "app", ["users:write", "read"])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "a\u0000"}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["claims:pay"]}, "scopes.0"),
        ({"networks": ["everywhere"]}, "networks.0"),
        ({"networks": ["10.0.0.0/8"] * 21}, "networks"),
        ({"networks": ["::ffff:203.0.113.0/120"]}, "networks.0"),
        ({"expiresAt": "2020-01-01T00:00:00Z"}, "expiresAt"),
        ({"expiresAt": 4102444800}, "expiresAt"),
        ({"key": "ch_live_mine"}, "key"),
    ],
)
def test_a_bad_wish_is_refused(desk: Desk, change: dict[str, Any], field: str) -> None:
    answer = desk.call("POST", "/api/keys", json={"name": "app", "scopes": ["read"]} | change)
    assert answer.status_code == 422
    assert any(name.startswith(field) for name in answer.json()["fields"]), answer.text
    assert desk.get("/api/keys").json() == []


@on_one_engine
@pytest.mark.parametrize("network", ["everywhere", "10.0.0.300", "10.0.0.1/8", "", None, ["10.0.0.0/8"]])
def test_a_network_that_cannot_be_read_gets_a_sentence(desk: Desk, network: Any) -> None:
    body = {"name": "app", "scopes": ["read"], "networks": ["10.0.0.0/8", network]}
    fields = desk.call("POST", "/api/keys", json=body).json()["fields"]
    sentence = "networks.1 must be an address or a network, like 203.0.113.7 or 203.0.113.0/24."
    assert fields == {"networks.1": sentence}


def test_a_name_is_never_used_twice_and_no_admin_can_take_it(desk: Desk, database_url: str) -> None:
    add_key(desk, "App")
    for body in ({"name": "app", "scopes": ["read"]}, {"name": "App", "scopes": ["read"]}):
        assert desk.call("POST", "/api/keys", json=body).status_code == 409
    refused = countinghouse(database_url, "admin", "add", "Key App", "--password-stdin", given="a long sentence\n")
    assert (refused.returncode, "reserved" in refused.stderr) == (1, True)


def test_a_revoked_key_stops_at_once(desk: Desk) -> None:
    key = add_key(desk)
    assert outcomes(pushed(desk, key, "users", a_user(1))) == ["created"]
    (listed,) = desk.get("/api/keys").json()
    for _ in range(2):
        revoked = desk.call("POST", f"/api/keys/{listed['_id']}/revoke", by="ravi")
        assert (revoked.status_code, revoked.json()["state"], revoked.json()["revokedBy"]) == (200, "revoked", "ravi")
    assert len(desk.audit("key.revoked")) == 1
    answer = push(desk, key, "users", a_user(2))
    assert (answer.status_code, answer.json()["code"]) == (401, "key_revoked")
    assert desk.call("POST", f"/api/keys/{'0' * 24}/revoke").status_code == 404


def test_an_expired_key_is_refused(desk: Desk) -> None:
    key = add_key(desk, expiresAt=iso(now() + timedelta(hours=1)))
    assert push(desk, key, "users", a_user(1)).status_code == 200
    desk.change(update(api_keys).values(expires_at=now()))
    assert push(desk, key, "users", a_user(2)).json()["code"] == "key_expired"
    assert desk.get("/api/keys").json()[0]["state"] == "expired"


def test_a_key_without_the_scope_is_told_which_one_it_lacks(desk: Desk) -> None:
    key = add_key(desk, scopes=["users:write"])
    for noun in ("purchases", "claims"):
        answer = push(desk, key, noun, {})
        assert (answer.status_code, answer.json()["fields"]) == (403, {"scope": f"{noun}:write"})
        assert f"{noun}:write" in answer.json()["message"]
    assert desk.get("/api/claims/all", by=key).json()["fields"] == {"scope": "read"}


def test_a_key_works_only_in_its_networks(open_desk: Callable[..., Desk]) -> None:
    inside = open_desk(peer="10.1.2.3")
    outside = open_desk(peer="203.0.113.9")
    key = add_key(inside, networks=["10.1.0.0/16", "2001:db8::/32"])
    assert push(inside, key, "users", a_user(1)).status_code == 200
    answer = push(outside, key, "users", a_user(2))
    assert (answer.status_code, answer.json()["code"]) == (403, "key_network")
    # A header is believed only if it comes from a trusted proxy.
    headers = {"X-Forwarded-For": "10.1.2.3", "Idempotency-Key": "k"}
    assert outside.call("POST", "/api/intake/users", by=key, json={}, headers=headers).status_code == 403
    behind = open_desk(peer="203.0.113.9", trusted_proxies="203.0.113.9/32")
    assert behind.call("POST", "/api/intake/users", by=key, json={}, headers=headers).status_code == 200


def test_the_last_use_is_stored_once_a_minute(desk: Desk) -> None:
    key = add_key(desk)
    push(desk, key, "users", a_user(1))
    (first,) = desk.get("/api/keys").json()
    push(desk, key, "users", a_user(2))
    assert desk.get("/api/keys").json() == [first]
    desk.change(update(api_keys).values(last_used_at=now() - timedelta(minutes=2)))
    push(desk, key, "users", a_user(3))
    assert desk.get("/api/keys").json()[0]["lastUsedAt"] >= first["lastUsedAt"]


def test_calls_are_limited_and_say_how_many_are_left(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(key_calls_per_minute=3)
    key, other = add_key(desk), add_key(desk, "other", scopes=["read"])
    for left, noun in ((2, "users"), (1, "users"), (0, "claims")):
        answer = push(desk, key, noun, a_user(left))
        assert answer.status_code == 200
        assert answer.headers["ratelimit-policy"] == '"calls";q=3;w=60'
        assert re.fullmatch(rf'"calls";r={left};t=\d+', answer.headers["ratelimit"])
    for _ in range(2):
        answer = push(desk, key, "users", a_user(9))
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_calls")
        assert 1 <= int(answer.headers["retry-after"]) <= 60
        assert '"calls";r=0;' in answer.headers["ratelimit"]
    assert len(desk.audit("user.added")) == 2
    listed = desk.get("/api/users?limit=5", by=other)
    assert (listed.status_code, listed.headers["ratelimit"].split(";")[1]) == (200, "r=2")
    assert "ratelimit" not in desk.get("/api/users?limit=5").headers


def test_a_window_ends_and_the_memory_of_the_limit_is_bounded() -> None:
    at = 1000.0
    limit = RateLimit(2, clock=lambda: at)
    for number in range(2 * MOST_COUNTED):
        at += 1
        limit.count(f"key {number}")
    assert len(limit._windows) <= MOST_COUNTED
    for left in (1, 0, 0):
        assert limit.count("app")["RateLimit"] == f'"calls";r={left};t=60'
    at += 60
    assert limit.count("app")["RateLimit"] == '"calls";r=1;t=60'


def test_the_commands_add_list_and_revoke(desk: Desk, database_url: str) -> None:
    words = ("--scope", "users:write", "--scope", "read", "--expires", "2099-12-31", "--network", "203.0.113.0/24")
    added = countinghouse(database_url, "key", "add", "night job", *words)
    assert added.returncode == 0, added.stderr
    key = added.stdout.splitlines()[-1]
    assert re.fullmatch(r"ch_live_[A-Za-z0-9]{32}", key)
    assert outcomes(pushed(desk, key, "users", a_user(1))) == ["created"]
    assert [row.actor for row in desk.audit("user.added")] == ["key night job"]
    assert desk.get("/api/keys").json()[0]["expiresAt"] == "2100-01-01T00:00:00.000Z"
    listed = "".join(countinghouse(database_url, "key", "list").stdout.split())
    assert key[:12] in listed
    assert key not in listed
    assert countinghouse(database_url, "key", "revoke", "NIGHT JOB").returncode == 0
    assert push(desk, key, "users", a_user(2)).status_code == 401
    for bad in (
        ("--scope", "claims:pay"),
        ("--scope", "read", "--expires", "soon"),
        ("--scope", "read", "--network", "x"),
    ):
        refused = countinghouse(database_url, "key", "add", "other", *bad)
        assert (refused.returncode, refused.stdout) == (1, ""), bad
        assert refused.stderr.count("\n") == 1
    assert countinghouse(database_url, "key", "revoke", "nobody").returncode == 1
