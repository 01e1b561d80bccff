"""Does everything that the audit log has a verb for, as the admins and the programs of a desk would."""

from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import insert, select, update

from countinghouse.admins.inviting import offer_setup
from countinghouse.batches import running
from countinghouse.core.ids import new_id
from countinghouse.core.times import iso, now
from countinghouse.importing.tables import imports as import_jobs
from countinghouse.qr.tables import qr_codes, qr_images
from countinghouse.qr.upgrading import bring_up_to_date
from tests.admins.second_factors import Phone, challenge_of, confirm, log_in, set_up_phone
from tests.batches import batches
from tests.cli.command import countinghouse
from tests.databases import PASSWORD
from tests.desk import NEWEST, Desk
from tests.event_loop import run
from tests.exports.downloads import download
from tests.importing.test_bad_rows import CLAIM, PURCHASE, USER
from tests.importing.test_importing_on_the_screen import lines, start, upload_all
from tests.intake.pushing import a_claim, add_key, outcomes, push_one_of_each, pushed
from tests.pictures import code_for, qr_png
from tests.purchases.purchases import buy
from tests.webhooks.receiver import Answer, Receiver
from tests.webhooks.webhooks import deliveries, listen, send


def do_everything(desk: Desk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """The desk is empty, and has no admin yet."""
    begin(desk)
    for room in (claims, purchases, corrections, qr_codes_of_every_kind, clients, lists, views, keys, imports, policy):
        room(desk)
    searches(desk)
    webhooks(desk, receiver)
    accounts(desk, Phone(monkeypatch))
    admins(desk)


def begin(desk: Desk) -> None:
    """The first owner, who invites another."""
    link = run(desk.app_database.write(offer_setup))
    assert link is not None
    accept(desk, link, username="asha")
    desk.tokens["asha"] = _signed_in(desk, "asha")
    desk.tokens["ravi"] = invited(desk, "ravi", "owner")


def claims(desk: Desk) -> None:
    for status in ("Accepted", "Paid", "Returned", "On hold", "Rejected"):
        desk.add_claim_moved_to(status)
    paid = desk.add_claim_moved_to("Accepted")
    assert desk.move(paid, "Paid", reference="UTR000111222").status_code == 200
    done(desk.call("POST", f"/api/claims/{paid}/reveal"))
    desk.add_claim()
    ids = batches.add_claims(desk, 4)
    batches.run_to_end(desk, batches.plan(desk, claims=batches.seen(desk, ids[:2]), status="Accepted"))
    sheet = batches.plan(desk, claims=batches.seen(desk, ids[2:]), status="Accepted")
    with pytest.MonkeyPatch.context() as hasty:
        # With no time allowed, a call moves one claim.
        hasty.setattr(running, "SECONDS_A_CALL", 0.0)
        done(batches.run(desk, sheet))
    done(batches.leave(desk, sheet))


def purchases(desk: Desk) -> None:
    first, _second = (buy(desk, "631902345678", client) for client in ("Om Rao", "Ananya Iyer"))
    path = f"/api/purchases/{first}/checked"
    done(desk.call("PUT", path, json={"note": "Two payments.", "findings": ["repeated"]}))
    done(desk.call("DELETE", path))


def corrections(desk: Desk) -> None:
    key = add_key(desk)
    claim_id = push_one_of_each(desk, key)
    done(desk.call("PUT", "/api/intake/purchases/p-1/proof", by=key, content=qr_png()))
    done(desk.call("PUT", "/api/intake/users/u-1", by=key, json={"version": 0, "mobile": "9805756092"}))
    done(desk.call("PUT", "/api/intake/claims/c-1", by=key, json={"version": 0, "accountNo": "004599999999"}))
    assert desk.move(claim_id, "Accepted").status_code == 200
    assert desk.move(claim_id, "Paid", by="ravi", reference="UTR000111223").status_code == 200
    assert outcomes(pushed(desk, key, "claims", a_claim(2))) == ["created"]
    done(desk.call("DELETE", "/api/intake/claims/c-2", by=key))


def qr_codes_of_every_kind(desk: Desk) -> None:
    shown = _uploaded(desk, qr_png())
    assert desk.display(shown).status_code == 200
    status = f"/api/qr/status/{shown}"
    done(desk.call("PATCH", status, json={"status": "hide"}))
    assert desk.display(shown).status_code == 200
    swapped = _uploaded(desk, code_for("other@okbank", "Acme Traders"))
    done(desk.call("POST", f"/api/qr/{swapped}/confirm", by="ravi", json={"reason": "Our second account."}))
    asked = desk.call("PATCH", f"/api/qr/status/{swapped}", json={"status": "display"})
    assert asked.status_code == 202, asked.text
    done(desk.call("DELETE", f"/api/qr/{swapped}/display-request"))
    assert desk.display(swapped).status_code == 200
    for gone in (swapped, _uploaded(desk, qr_png(), name="Desk 3")):
        done(desk.call("DELETE", f"/api/qr/{gone}"))
    # As a release stored it that did not read pictures.
    picture = dict(desk.rows(select(qr_images))[0]._mapping)
    desk.change(insert(qr_images).values(picture | {"key": "k" * 43}))
    old = {"id": new_id(), "created_at": NEWEST, "name": "Old", "upi_id": "desk1@okbank", "upload_key": "k" * 43}
    desk.change(insert(qr_codes).values(old | {"status": "hide", "is_cleared": False}))
    assert run(bring_up_to_date(desk.app_database)) == 1


def _uploaded(desk: Desk, picture: bytes, **more: str) -> str:
    answer = desk.upload(picture, **more)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["_id"])


def clients(desk: Desk) -> None:
    user_id = desk.add_user()
    done(desk.call("POST", f"/api/clients/{user_id}/notes", json={"text": "Called."}))
    done(desk.call("POST", f"/api/clients/{user_id}/reveal"))


def lists(desk: Desk) -> None:
    done(desk.get("/api/claims/all"))
    for name in ("claims", "audit"):
        assert download(desk, name)


def searches(desk: Desk) -> None:
    """A viewer tries numbers, and reveals them, until the limit is reached."""
    viewer = invited(desk, "Tara", "viewer")
    tried = (desk.get("/api/users/totals", params={"q": f"98057{guess:05}"}, by=viewer) for guess in range(200))
    assert any(answer.status_code == 429 for answer in tried)
    reveal = f"/api/claims/{desk.add_claim()}/reveal"
    assert any(desk.call("POST", reveal, by=viewer).status_code == 429 for _ in range(200))


def views(desk: Desk) -> None:
    view = {"screen": "claims", "name": "Large", "search": "status=Pending"}
    path = f"/api/views/{done(desk.call('POST', '/api/views', json=view)).json()['_id']}"
    done(desk.call("PUT", path, json={"name": "Small", "search": ""}))
    done(desk.call("DELETE", path))


def keys(desk: Desk) -> None:
    key = done(desk.call("POST", "/api/keys", json={"name": "till", "scopes": ["read"]})).json()["shown"]["_id"]
    done(desk.call("POST", f"/api/keys/{key}/revoke"))


def imports(desk: Desk) -> None:
    paid = {**CLAIM, "id": "c2", "status": "Paid", "reference": "UTR000999888"}
    rows: dict[str, list[dict[str, Any]]] = {"users": [USER], "purchases": [PURCHASE], "claims": [CLAIM, paid]}
    import_id = upload_all(desk, {f"{name}.json": lines(documents) for name, documents in rows.items()})
    start(desk, import_id, "plan")
    assert start(desk, import_id, "run")["report"]["outcomes"]["claims"] == {"created": 2}
    slow = upload_all(desk, {"users.json": lines([USER])})
    desk.change(update(import_jobs).where(import_jobs.c.id == slow).values(state="planning"))
    done(desk.call("POST", f"/api/imports/{slow}/cancel"))


def policy(desk: Desk) -> None:
    for rules in ({"twoPersons": True}, {"stepUpAbove": 1000}):
        done(desk.call("PUT", "/api/policy", json=rules))
    assert countinghouse(desk.settings.database_url, "policy", "set", "two-persons", "off").returncode == 0


def webhooks(desk: Desk, receiver: Receiver) -> None:
    path = f"/api/webhooks/{listen(desk, receiver)}"
    done(desk.call("PUT", path, json={"url": receiver.url, "events": ["claim.paid"], "isEnabled": True}))
    receiver.secrets.append(done(desk.call("POST", f"{path}/secret")).json()["secret"])
    done(desk.call("POST", f"{path}/test"))
    send(desk)
    done(desk.call("POST", f"/api/webhooks/deliveries/{deliveries(desk)[0]['_id']}/resend"))
    done(desk.call("POST", f"{path}/resend", json={"since": iso(now())}))
    receiver.answer = lambda _: Answer(410)
    send(desk)
    done(desk.call("DELETE", path))


def accounts(desk: Desk, phone: Phone) -> None:
    """An admin with an authenticator app, who confirms an action with it, and loses it."""
    desk.tokens["meera"] = invited(desk, "Meera", "owner")
    set_up_phone(desk, phone, by="meera")
    assert log_in(desk, challenge=challenge_of(desk, "Meera"), code="000000").status_code == 401
    done(log_in(desk, challenge=challenge_of(desk, "Meera"), code=phone.next_code()))

    def confirmed(method: str, path: str, **body: Any) -> None:
        refused = desk.call(method, path, by="meera", **body)
        done(confirm(desk, refused, phone.next_code(), by="meera"))
        done(desk.call(method, path, by="meera", **body))

    confirmed("POST", "/api/admin/account/recovery-codes")
    confirmed("DELETE", "/api/admin/account/totp")
    done(desk.call("PUT", "/api/admin/account/password", by="meera", json={"current": PASSWORD, "new": "12345 67890"}))
    desk.tokens["nisha"] = invited(desk, "Nisha", "payer")
    set_up_phone(desk, phone, by="nisha")
    done(desk.call("POST", "/api/admin/logout", by="nisha"))
    assert log_in(desk, username="Nisha", password="wrong").status_code == 401
    assert log_in(desk, username="nobody", password="wrong").status_code == 401


def admins(desk: Desk) -> None:
    """An invitation that is open and one that is withdrawn, a reset link, and every change that an owner can make."""
    for name in ("Om", "Withdrawn"):
        done(desk.call("POST", "/api/admins", json={"username": name, "role": "viewer"}))
    done(desk.call("DELETE", "/api/admins/invitations/Withdrawn"))
    of = {one["username"]: one["_id"] for one in desk.get("/api/admins").json()}
    nisha = f"/api/admins/{of['Nisha']}"
    done(desk.call("POST", f"{nisha}/reset-factors"))
    accept(desk, done(desk.call("POST", f"{nisha}/reset")).json()["link"])
    done(desk.call("PUT", f"{nisha}/role", json={"role": "auditor"}))
    for change in ("disable", "enable", "disable"):
        done(desk.call("POST", f"{nisha}/{change}"))


def invited(desk: Desk, username: str, role: str) -> str:
    """The token of their session."""
    accept(desk, done(desk.call("POST", "/api/admins", json={"username": username, "role": role})).json()["link"])
    return _signed_in(desk, username)


def accept(desk: Desk, link: str, **more: str) -> None:
    body = {"token": link.partition("#")[2], "password": PASSWORD} | more
    done(desk.call("POST", "/api/invitations/accept", by=None, json=body))


def _signed_in(desk: Desk, username: str) -> str:
    return str(done(log_in(desk, username=username, password=PASSWORD)).json()["token"])


def done(answer: Response) -> Response:
    assert answer.status_code < 300, (str(answer.request.url), answer.text)
    return answer
