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
    details["facts"] = [
        {"id": "account_shared:1", "code": "shared_account", "sentence": f"This account is also that of {LONG}."}
    ]
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


RIGHT_TO_LEFT = "\u0639\u0628\u062f \u0627\u0644\u0631\u062d\u0645\u0646 \u0628\u0646 \u0645\u062d\u0645\u062f"
# Where the first letter is, relative to its element: negative if it is cut off.
FIRST_LETTER = """element => {
  const range = document.createRange();
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  range.setStart(text, 0);
  range.setEnd(text, 1);
  const [letter, frame] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
  return Math.min(frame.right - letter.right, letter.left - frame.left);
}"""


def test_a_name_that_runs_from_right_to_left_is_cut_off_where_it_ends(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    claim = desk.claims("Pending")[0]
    claim["user"]["username"] = f"{RIGHT_TO_LEFT} " * 8
    claim["address"] = f"{RIGHT_TO_LEFT} " * 8
    page.route("**/api/claims/all**", lambda route: route.fulfill(json=[claim]))
    open_screen("/Withdraw?q=x")
    row = page.locator(f"[data-row-id='{claim['_id']}']")
    expect(row).to_be_visible()
    cut = row.get_by_text(RIGHT_TO_LEFT).all()
    assert cut
    for element in cut:
        assert element.evaluate(FIRST_LETTER) > -1


def test_a_letter_without_a_font_is_visible(page: Page, open_screen: Callable[..., None]) -> None:
    """An empty glyph would make a name disappear that the machine cannot draw."""
    page.add_init_script("localStorage.setItem('font', 'known')")
    open_screen("/Withdraw")
    page.wait_for_function(
        "[...document.fonts].some(({ family, status }) => family === 'Inter' && status === 'loaded')"
    )
    ink = page.evaluate(
        """() => {
          const canvas = document.createElement('canvas');
          const pen = canvas.getContext('2d');
          pen.font = '40px Inter';
          pen.fillText('\\uf123', 20, 80);
          return pen.getImageData(0, 0, 200, 120).data.some((value) => value > 0);
        }"""
    )
    assert ink


def test_no_figure_of_home_is_cut_off(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    home = desk.call("GET", "/api/home", params={"days": 30}).json()
    for queue in home["queues"]:
        queue["total"]["amount"] = 24_88_91_62_745.65
    page.route("**/api/home*", lambda route: route.fulfill(json=home))
    open_screen("/Home")
    own_size = page.viewport_size or {"width": 390, "height": 844}
    for width in (own_size["width"], 820, 1024):
        page.set_viewport_size({"width": width, "height": own_size["height"]})
        for name in ("Age of the queue", "Work by admin"):
            section = page.get_by_role("region", name=name)
            expect(section).to_be_visible()
            assert section.evaluate(CUT_OFF) == []
