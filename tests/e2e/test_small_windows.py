"""Short and narrow windows: a phone in landscape, a desktop zoomed to 200 %, the smallest phones."""

from collections.abc import Callable

from playwright.sync_api import FloatRect, Page, expect

from tests.e2e.sizes import on_a_desktop, resize
from tests.waiting import eventually

ONLY_LOOKS = True

SHORT = ((720, 450), (320, 480), (844, 390))
USUAL = ((1440, 900), (390, 844))

HIGHER_THAN_THE_VIEW = "content => content.scrollHeight - content.clientHeight"
# Scrolls the table so that the 13th row is the first one shown.
SHOW_THE_13TH = "table => { table.scrollTop = 12 * parseInt(table.querySelector('[data-row-id]').style.height) }"
THE_13TH = '[data-row-id][aria-rowindex="14"]'
PUT_A_NOTICE_ABOVE = """bar => {
    const notice = document.createElement('p');
    notice.id = 'notice';
    notice.style.cssText = 'flex: none; height: 60px';
    bar.before(notice);
}"""


def place_at_rest(page: Page) -> FloatRect:
    """The position of the 13th row, once it has not moved for a quarter of a second."""
    seen: list[FloatRect | None] = []

    def rests() -> bool:
        page.wait_for_timeout(50)
        seen.append(page.locator(THE_13TH).bounding_box())
        return seen[-1] is not None and seen[-5:] == [seen[-1]] * 5

    eventually(rests)
    assert seen[-1] is not None
    return seen[-1]


@on_a_desktop
def test_in_a_short_window_the_claims_keep_their_height_and_the_page_scrolls(
    page: Page, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw")
    page.get_by_role("row").nth(1).wait_for()
    content = page.get_by_role("main")
    for width, height in SHORT:
        resize(page, width, height)
        eventually(lambda: content.evaluate(HIGHER_THAN_THE_VIEW) > 0)
        box = page.get_by_role("table").bounding_box()
        assert box is not None
        assert box["height"] > 290, (width, height)
    for width, height in USUAL:
        resize(page, width, height)
        eventually(lambda: content.evaluate(HIGHER_THAN_THE_VIEW) == 0)


@on_a_desktop
def test_in_a_short_window_a_notice_moves_no_row_at_any_scroll_position(
    page: Page, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw")
    page.get_by_role("row").nth(1).wait_for()
    for width, height in SHORT:
        resize(page, width, height)
        for top in (0, 60, 9_999):
            page.get_by_role("main").evaluate("(content, top) => { content.scrollTop = top }", top)
            page.get_by_role("table").evaluate(SHOW_THE_13TH)
            before = place_at_rest(page)
            page.get_by_role("group", name="Status").locator("..").evaluate(PUT_A_NOTICE_ABOVE)
            assert place_at_rest(page) == before, (width, height, top)
            page.evaluate("document.getElementById('notice').remove()")
            assert place_at_rest(page) == before, (width, height, top)


@on_a_desktop
def test_in_a_short_window_the_j_key_scrolls_each_row_fully_into_view(
    page: Page, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw")
    page.get_by_role("row").nth(1).wait_for()
    for width, height in SHORT:
        resize(page, width, height)
        content = page.get_by_role("main").bounding_box()
        assert content is not None
        for _ in range(4):
            page.keyboard.press("j")
            row = page.locator("[data-row-id]:focus").bounding_box()
            assert row is not None
            assert row["y"] >= content["y"] - 1, (width, height)
            assert row["y"] + row["height"] <= content["y"] + content["height"] + 1, (width, height)


@on_a_desktop
def test_at_400_percent_zoom_a_claim_is_in_view_and_dialogs_open_at_their_top(
    page: Page, open_screen: Callable[..., None]
) -> None:
    open_screen("/Withdraw?status=Accepted")
    row = page.locator("[data-row-id]").first
    row.wait_for()
    resize(page, 320, 256)
    box = row.bounding_box()
    assert box is not None
    # The name, the amount, the details and the status.
    assert box["y"] <= 256 - 80
    row.get_by_text("₹").filter(visible=True).first.click()
    panel = page.get_by_role("dialog")
    expect(panel.get_by_role("heading").first).to_be_in_viewport(ratio=1)
    panel.get_by_role("button", name="Paid Success").click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog.get_by_role("heading").first).to_be_in_viewport(ratio=1)


def test_the_filters_fit_the_smallest_phones(page: Page, open_screen: Callable[..., None]) -> None:
    for path, last in {"/Withdraw": "Requested to", "/Data": "Purchased to", "/reg": "Registered to"}.items():
        open_screen(path)
        for width in (320, 360, 720):
            resize(page, width, 640)
            page.get_by_role("button", name="Filters", exact=True).click()
            panel = page.get_by_role("dialog", name="Filters")
            page.get_by_label(last, exact=True).wait_for()
            assert panel.evaluate("panel => panel.scrollWidth - panel.clientWidth") == 0, (path, width)
            page.keyboard.press("Escape")


@on_a_desktop
def test_transaction_ids_and_claim_types_are_not_cut_off_on_a_tablet(
    page: Page, open_screen: Callable[..., None]
) -> None:
    open_screen("/Data")
    page.get_by_role("row").nth(1).wait_for()
    for width in (701, 720, 768, 1024, 1080):
        resize(page, width, 800)
        cut = page.evaluate(
            """() => ['Transaction ID', 'Claim Type'].flatMap(name =>
                [...document.querySelectorAll(`[data-clipped="${name}"]`)]
                    .filter(text => text.scrollWidth > text.clientWidth).map(text => text.textContent))"""
        )
        assert cut == [], width
