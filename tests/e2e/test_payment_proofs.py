"""A service sends the proof of a payment; an admin finds the purchase by the service's own id and looks at it."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.scanning import findings
from tests.e2e.test_for_everyone import sideways
from tests.intake.pushing import EVERY_SCOPE, a_purchase, a_user
from tests.pictures import without_a_code

IS_DRAWN = "picture => picture.complete && picture.naturalWidth === 200"


def send_proof(desk: Desk, external_id: str) -> None:
    app = "shop app"
    desk.tokens[app] = desk.call("POST", "/api/keys", json={"name": app, "scopes": EVERY_SCOPE}).json()["key"]
    for noun, row in (("users", a_user()), ("purchases", a_purchase(externalId=external_id))):
        answer = desk.call("POST", f"/api/intake/{noun}", by=app, json=row, headers={"Idempotency-Key": noun})
        assert answer.json()["results"][0]["outcome"] == "created"
    path, headers = f"/api/intake/purchases/{external_id}/proof", {"Content-Type": "image/png"}
    assert desk.call("PUT", path, by=app, content=without_a_code(), headers=headers).status_code == 200


def test_an_admin_looks_at_the_proof_of_a_payment(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    send_proof(desk, "order-7781")
    open_screen("/Data")
    page.get_by_role("searchbox").fill("order-7781")
    rows = page.locator("[data-row-id]")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Client 1")
    rows.get_by_text("₹").first.click()
    panel = page.get_by_role("dialog", name="Client 1")
    expect(panel).to_contain_text("order-7781")
    proof = panel.get_by_role("region", name="Payment proof")
    expect(proof).to_contain_text("key shop app")
    picture = proof.get_by_role("button", name="Show the payment proof larger")
    picture.scroll_into_view_if_needed()
    expect(picture).to_be_enabled()
    page.wait_for_function(IS_DRAWN, arg=picture.locator("img").element_handle())
    assert findings(page) == []
    assert sideways(page) <= 0

    picture.click()
    large = page.get_by_role("dialog", name="Payment proof")
    expect(large.get_by_role("img", name="Payment proof")).to_be_in_viewport()
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(large).to_be_hidden()
    expect(panel).to_be_visible()
    expect(picture).to_be_focused()
    (entry,) = desk.call("GET", "/api/audit", params={"verb": "purchase.proof_added"}).json()
    assert entry["actor"] == "key shop app"
