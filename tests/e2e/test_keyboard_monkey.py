"""Somebody types blind and fast around every dialog: only an Enter in a field with text, or a click, confirms anything.

MONKEY_KEYSTROKES=5000 runs the long form, with so many keystrokes a dialog.
"""

import os
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from countinghouse.claims.references import normalised_reference
from tests.e2e.blind_typist import Typist, is_steady, may_confirm
from tests.e2e.conftest import Desk, Template
from tests.e2e.keys import press_enter
from tests.e2e.sizes import on_a_desktop
from tests.india.written_references import reference

LONG = int(os.environ.get("MONKEY_KEYSTROKES", "0"))
ON_PAYMENTS = LONG or 500
ON_OTHERS = LONG or 100
SEED = int(os.environ.get("MONKEY_SEED", "20261119"))
NOISE_KEYS = 50
ENDINGS = ["pays", "hurries", "cancels", "pastes", "clicks", "is refused"]


@pytest.fixture(scope="module")
def demo_template(busy_template: Template) -> Template:
    return busy_template


@pytest.fixture
def typist(page: Page) -> Typist:
    return Typist(page, Random(SEED))  # noqa: S311 - a seed, so that it can be repeated


def statuses(desk: Desk) -> dict[str, str]:
    return {claim["_id"]: claim["status"] for claim in desk.call("GET", "/api/claims/all").json()}


def last_step(desk: Desk, claim_id: str) -> dict[str, Any]:
    step: dict[str, Any] = desk.call("GET", f"/api/claims/{claim_id}/details").json()["timeline"][-1]
    return step


def answer_slowly(typist: Typist, what: str, ending: str) -> None:
    page, is_refused = typist.page, ending == "is refused"
    page.unroute_all()
    taken = {"code": "reference_taken", "message": "Another claim has it.", "fields": {"reason": "Not like this."}}

    def hold(route: Route) -> None:
        typist.held.append(route)

    if is_refused:
        page.route("**/api/claims/*/status", lambda route: route.fulfill(status=409, json=taken))
    elif typist.random.random() < 0.5:
        page.route("**/api/claims/*/status", hold)
    if what == "Paid" and ending in ("hurries", "cancels") and typist.random.random() < 0.5:
        page.route("**/api/claims/*/details", hold)


def answer_blind(typist: Typist, desk: Desk, queue: str, key: str, target: str, ending: str) -> bool:
    """Opens the dialog of the focused claim, types into it and on, and compares what the server stored."""
    page, random = typist.page, typist.random
    answer_slowly(typist, target, ending)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("j")
    claim_id = page.evaluate("document.activeElement.dataset.rowId ?? ''")
    before = statuses(desk)
    # A row keeps its place when its claim has been moved; what is typed there asks nothing.
    if before.get(claim_id) != queue:
        return False
    typist.sent.clear()
    typist.log()

    typist.press(key)
    text = "" if ending in ("clicks", "pastes") else reference(random)
    pasted = ""
    cut = random.randrange(len(text)) if ending == "cancels" else len(text)
    typist.type(text[:cut])
    if ending == "cancels":
        typist.press("Escape")
        typist.type(text[cut:])
    elif ending == "pastes":
        pasted = reference(random)
        page.evaluate("text => navigator.clipboard.writeText(text)", f"{pasted}\n")
        press_ready(page)
        page.keyboard.press("Control+V")
    elif ending == "clicks":
        for _ in range(3):
            typist.press("Enter")
        if target == "Paid":
            page.get_by_role("alertdialog").get_by_role("button", name="Paid Success").click()
    elif ending == "hurries":
        typist.press("Enter")
    else:
        press_enter(page)
        typist.keystrokes += 1
    begun = len(page.evaluate("window.typed"))
    typist.make_noise(NOISE_KEYS)
    log = typist.log()
    typist.leave()

    after = statuses(desk)
    changed = {one for one in after if after[one] != before.get(one)}
    if not is_steady(log, begun):
        return False
    told = f"{key} {text!r} {pasted!r} {ending}, {[key for _, key in log]}, sent {typist.sent}"
    for moved, body in typist.sent:
        given = body.get("reference") or body.get("reason") or ""
        assert (moved, body["status"]) == (claim_id, target), told
        assert may_confirm(log, pasted, given) if given else (ending == "clicks" and target == "Paid"), told
    assert changed <= {moved for moved, _ in typist.sent}, told
    if ending == "pays":
        assert changed == {claim_id}, told
    if changed and target == "Paid":
        given = typist.sent[-1][1].get("reference")
        assert last_step(desk, claim_id)["reference"] == (normalised_reference(given) if given else None), told
    return True


def press_ready(page: Page) -> None:
    expect(page.locator("[data-armed]:focus-within")).to_be_visible()


def walk_claims(typist: Typist, desk: Desk, keys: dict[str, str], queue: str, count: int) -> None:
    page, end, judged, rounds = typist.page, typist.keystrokes + count, 0, 0
    is_judged = False
    while typist.keystrokes < end:
        # What was typed too slowly may have reached the page: its search, for instance.
        if rounds % 8 == 0 or not is_judged:
            keep_waiting(desk, queue)
            page.goto(f"{desk.url}/Withdraw?status={queue}")
            page.locator("[data-row-id]").first.wait_for()
        key = typist.random.choice(list(keys))
        is_judged = answer_blind(typist, desk, queue, key, keys[key], ENDINGS[rounds % len(ENDINGS)])
        judged += is_judged
        rounds += 1
    page.unroute_all()
    assert judged * 2 >= rounds, f"the machine was too slow to judge {rounds - judged} of {rounds}"


def keep_waiting(desk: Desk, queue: str) -> None:
    """At least twenty claims in this queue."""
    back = {"Accepted": ("Pending", "Accepted"), "Pending": ("Rejected", "Pending")}[queue]
    short = max(0, 20 - len(desk.claims(queue)))
    for claim in desk.claims(back[0])[:short]:
        desk.call("PUT", f"/api/claims/{claim['_id']}/status", json={"status": back[1], "reason": "Again"})


def walk_without_a_field(typist: Typist, opens: Callable[[], None], stored: Callable[[], object], count: int) -> None:
    """A dialog that only its buttons confirm: whatever is typed changes nothing."""
    end, judged, rounds = typist.keystrokes + count, 0, 0
    while typist.keystrokes < end:
        before = stored()
        opens()
        typist.log()
        typist.type(reference(typist.random))
        typist.press("Enter")
        typist.make_noise(NOISE_KEYS)
        log = typist.log()
        typist.leave()
        rounds += 1
        if is_steady(log, 0):
            judged += 1
            assert stored() == before, [key for _, key in log]
    assert judged * 2 >= rounds, f"the machine was too slow to judge {rounds - judged} of {rounds}"


@on_a_desktop
def test_whatever_is_typed_around_a_dialog_confirms_nothing_but_what_was_meant(
    typist: Typist, page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=desk.url)
    open_screen("/Withdraw?status=Accepted")
    walk_claims(typist, desk, {"p": "Paid"}, "Accepted", ON_PAYMENTS)
    walk_claims(typist, desk, {"r": "Rejected", "h": "On hold"}, "Pending", ON_OTHERS)

    def begin_batch() -> None:
        page.goto(f"{desk.url}/Withdraw?status=Pending")
        page.locator("[data-row-id]").first.wait_for()
        for key in ("j", "x", "j", "x", "Shift+A"):
            page.keyboard.press(key)

    walk_without_a_field(typist, begin_batch, lambda: statuses(desk), ON_OTHERS)

    codes = page.get_by_role("table", name="QR Table")
    page.goto(f"{desk.url}/Qr")
    for name in ("Delete", "Display"):
        button = codes.locator("button:enabled").filter(has_text=name).first
        walk_without_a_field(typist, button.click, lambda: desk.call("GET", "/api/qr").json(), ON_OTHERS)

    page.goto(f"{desk.url}/Settings")
    rule = page.get_by_role("switch").first
    walk_without_a_field(typist, rule.click, lambda: desk.call("GET", "/api/policy").json(), ON_OTHERS)
