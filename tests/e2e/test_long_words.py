"""Clients and admins type words of any length. No warning, name or button may be cut off where money is decided."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk

ONLY_LOOKS = True

LONG = "Venkatanarasimharaju" * 4
# The texts that are not wholly inside the element, on the left or on the right.
CUT_OFF = """element => {
  const frame = element.getBoundingClientRect();
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const cut = [];
  while (texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const boxes = [...range.getClientRects()];
    if (boxes.some((box) => box.width > 1 && (box.left < frame.left || box.right > frame.right))) {
      cut.push(texts.currentNode.textContent);
    }
  }
  return cut;
}"""


def test_a_warning_with_a_long_name_is_wholly_in_the_panel(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    claim = desk.claims("Pending")[0]
    details = desk.call("GET", f"/api/claims/{claim['_id']}/details").json()
    details["facts"] = [{"code": "shared_account", "sentence": f"This account is also that of {LONG}."}]
    page.route("**/api/claims/*/details", lambda route: route.fulfill(json=details))
    open_screen(f"/Withdraw/{claim['number']}")
    warnings = page.get_by_label("Worth a look")
    expect(warnings).to_contain_text(LONG)
    assert warnings.evaluate(CUT_OFF) == []


def test_the_dialog_before_a_display_shows_long_names_wholly(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    codes = [code | {"name": LONG} for code in desk.call("GET", "/api/qr").json()]
    page.route(re.compile(r"/api/qr(\?|$)"), lambda route: route.fulfill(json=codes))
    open_screen("/Qr")
    page.get_by_role("button", name="Display", disabled=False).first.click()
    dialog = page.get_by_role("dialog").or_(page.get_by_role("alertdialog"))
    expect(dialog.get_by_role("button", name=f"Replace {LONG}").first).to_be_visible()
    for element in (dialog, *dialog.get_by_role("button").all()):
        assert element.evaluate(CUT_OFF) == []


def test_a_long_name_of_a_qr_code_stays_in_its_chart(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    home = desk.call("GET", "/api/home", params={"days": 30}).json()
    home["codes"][0]["name"] = LONG
    page.route("**/api/home*", lambda route: route.fulfill(json=home))
    open_screen("/Home")
    chart = page.get_by_role("region", name="Money in per QR code and day")
    expect(chart.get_by_role("list")).to_contain_text(LONG)
    for element in (chart, page.get_by_role("main")):
        assert element.evaluate("element => element.scrollWidth - element.clientWidth") <= 0


def test_a_long_search_that_finds_nothing_is_repeated_wholly(page: Page, open_screen: Callable[..., None]) -> None:
    open_screen(f"/Withdraw?q={LONG}")
    sentence = page.get_by_text(f"No claim matches the search “{LONG}”.")
    expect(sentence).to_be_visible()
    box, screen = sentence.bounding_box(), page.viewport_size
    assert box is not None
    assert screen is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= screen["width"]
