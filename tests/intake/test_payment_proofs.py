"""The service sends the payment proof of a purchase; admins who may see numbers look at it."""

import io
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from httpx2 import Response
from PIL import Image
from sqlalchemy import select, update

from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins
from countinghouse.purchases.tables import purchase_proofs, purchases
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.intake.pushing import a_purchase, a_user, add_key, pushed
from tests.pictures import animated_png, as_format, jpeg_with_comment, png_promising, qr_png, without_a_code

PICTURE = without_a_code()


def prove(desk: Desk, key: str, picture: bytes, external_id: str = "p-1", **more: Any) -> Response:
    headers = {"Content-Type": "image/png"}
    return desk.call(
        "PUT", f"/api/intake/purchases/{external_id}/proof", by=key, content=picture, headers=headers, **more
    )


def proof_of(desk: Desk, external_id: str = "p-1") -> str:
    ((purchase_id,),) = desk.rows(select(purchases.c.id).where(purchases.c.external_id == external_id))
    return f"/api/purchases/{purchase_id}/proof"


@pytest.fixture
def key(desk: Desk) -> str:
    key = add_key(desk)
    pushed(desk, key, "users", a_user())
    pushed(desk, key, "purchases", [a_purchase(), a_purchase(2, externalId="order/7")])
    return key


def test_a_proof_is_stored_once_re_encoded_and_recorded(desk: Desk, key: str) -> None:
    secret = b"GPS 9.93 76.26 <b>"
    sent = jpeg_with_comment(PICTURE, secret)
    answer = prove(desk, key, sent)
    assert (answer.status_code, answer.json()["outcome"]) == (200, "created")
    again = prove(desk, key, sent)
    assert again.json() == answer.json() | {"outcome": "unchanged"}
    assert_refused(prove(desk, key, PICTURE), 409, "proof_differs")

    shown = desk.get(proof_of(desk))
    assert (shown.status_code, shown.headers["content-type"]) == (200, "image/jpeg")
    assert shown.headers["cache-control"] == "no-store"
    assert shown.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in shown.headers["content-security-policy"]
    assert shown.content != sent
    assert secret not in shown.content
    assert Image.open(io.BytesIO(shown.content)).size == (200, 200)

    (stored,) = desk.rows(select(purchase_proofs))
    (written,) = desk.audit("purchase.proof_added")
    assert (written.actor, written.subject_id) == ("key app", answer.json()["_id"])
    assert written.after == {"sha256": stored.sha256, "receivedSha256": stored.received_sha256}
    details = desk.get(proof_of(desk).replace("/proof", "/details")).json()
    assert details["externalId"] == "p-1"
    assert {name: details["proof"][name] for name in ("by", "width", "height")} == {
        "by": "key app",
        "width": 200,
        "height": 200,
    }


def test_an_external_id_may_contain_a_slash(desk: Desk, key: str) -> None:
    assert prove(desk, key, PICTURE, "order/7").json()["externalId"] == "order/7"
    assert desk.get(proof_of(desk, "order/7")).status_code == 200
    # The other purchase has none.
    assert_refused(desk.get(proof_of(desk)), 404, "proof_not_found")
    assert desk.get(proof_of(desk).replace("/proof", "/details")).json()["proof"] is None


@on_one_engine
def test_a_photo_is_made_smaller(desk: Desk, key: str) -> None:
    large = as_format(qr_png(scale=20), "JPEG")
    photo = Image.open(io.BytesIO(large)).resize((4000, 3000))
    out = io.BytesIO()
    photo.save(out, "JPEG")
    assert prove(desk, key, out.getvalue()).status_code == 200
    assert Image.open(io.BytesIO(desk.get(proof_of(desk)).content)).size == (2000, 1500)


@on_one_engine
@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (b"", "empty"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a PNG, JPEG or WebP"),
        (PICTURE[:-20], "damaged"),
        (PICTURE + b"<html>", "more than one image"),
        (png_promising(30_000, 30_000), "larger than"),
        (animated_png(), "animated"),
    ],
)
def test_what_is_not_one_still_picture_is_refused(desk: Desk, key: str, picture: bytes, said: str) -> None:
    answer = prove(desk, key, picture)
    assert_refused(answer, 422, "invalid_input")
    assert said in answer.json()["fields"]["proof"]
    assert "QR" not in answer.text
    assert desk.rows(select(purchase_proofs.c.purchase_id)) == []
    assert desk.audit("purchase.proof_added") == []


def test_unknown_purchases_missing_scopes_and_large_files_are_refused(desk: Desk, key: str) -> None:
    assert_refused(prove(desk, key, PICTURE, "p-99"), 404, "purchase_not_found")
    assert_refused(prove(desk, add_key(desk, "other", ["claims:write"]), PICTURE), 403, "scope_missing")
    answer = prove(desk, key, b"x" * (5 * 1024 * 1024 + 1))
    assert_refused(answer, 413, "body_too_large")
    assert answer.json()["message"].endswith("The limit is 5 MB.")
    # Only this path takes a large body.
    for path in ("users/u-1", "claims/c-1/proofs", "claims/c-1/proof"):
        other = desk.call("PUT", f"/api/intake/{path}", by=key, content=b"x" * 70_000)
        assert_refused(other, 413, "body_too_large")


@on_one_engine
def test_a_role_that_does_not_see_numbers_does_not_see_the_picture(desk: Desk, key: str) -> None:
    prove(desk, key, PICTURE)
    for role in Role:
        desk.change(update(admins).where(admins.c.username == "asha").values(role=role.value))
        is_shown = role not in (Role.VIEWER, Role.QR_MANAGER)
        assert desk.get(proof_of(desk)).status_code == (200 if is_shown else 403), role
    assert desk.get(proof_of(desk), by=None).status_code == 401
    assert desk.get(proof_of(desk), by=key).status_code == 401


def test_of_two_different_pictures_at_once_one_is_stored(desk: Desk, key: str) -> None:
    sent = [PICTURE, qr_png()] * 3
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda picture: prove(desk, key, picture), sent))
    codes = [answer.status_code for answer in answers]
    assert sorted(codes) == [200] * 3 + [409] * 3
    assert [answer.json().get("outcome") for answer in answers].count("created") == 1
    assert len(desk.rows(select(purchase_proofs))) == len(desk.audit("purchase.proof_added")) == 1
