import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.sizes import on_a_desktop


def opened_views(page: Page) -> Locator:
    page.get_by_role("button", name="Views", exact=True).click()
    return page.get_by_role("dialog", name="Views")


def save_as(panel: Locator, name: str) -> None:
    panel.get_by_role("button", name="Save this view…").click()
    panel.get_by_label("Name of this view").fill(name)
    panel.get_by_role("button", name="Save", exact=True).click()


def saved(desk: Desk) -> list[tuple[str, str]]:
    views = desk.call("GET", "/api/views", params={"screen": "claims"}).json()
    return [(view["name"], view["search"]) for view in views]


def test_a_view_is_saved_applied_and_deleted(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    open_screen("/Withdraw?status=Paid&sort=-amount")
    panel = opened_views(page)
    expect(panel).to_contain_text("A view keeps the search, filters, order and columns")
    save_as(panel, "Largest paid")
    kept = panel.get_by_role("button", name=re.compile("^Largest paid"))
    expect(kept).to_contain_text("Shown now")
    assert saved(desk) == [("Largest paid", "status=Paid&sort=-amount")]

    open_screen("/Withdraw")
    panel = opened_views(page)
    expect(kept).not_to_contain_text("Shown now")
    kept.click()
    expect(panel).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/Withdraw\?status=Paid&sort=-amount$"))
    expect(page.get_by_role("button", name="Views", exact=True)).to_be_focused()

    panel = opened_views(page)
    panel.get_by_role("button", name="Delete Largest paid").click()
    expect(panel.get_by_role("button", name="Keep")).to_be_focused()
    panel.get_by_role("button", name="Delete", exact=True).click()
    expect(panel.get_by_role("button", name="Undo")).to_be_focused()
    expect(kept).to_have_count(0)
    assert saved(desk) == []
    panel.get_by_role("button", name="Undo").click()
    expect(kept).to_be_visible()
    assert saved(desk) == [("Largest paid", "status=Paid&sort=-amount")]


@on_a_desktop
def test_a_view_with_an_existing_name_can_be_replaced(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    desk.call("POST", "/api/views", json={"screen": "claims", "name": "Mine", "search": "status=Paid"})
    open_screen("/Withdraw?status=Pending")
    panel = opened_views(page)
    save_as(panel, "mine")
    expect(panel).to_contain_text("There is already a view named “Mine”.")
    panel.get_by_role("button", name="Replace").click()
    expect(panel.get_by_role("button", name=re.compile("^mine"))).to_contain_text("Shown now")
    assert saved(desk) == [("mine", "status=Pending")]


@on_a_desktop
def test_a_view_of_one_screen_is_not_offered_on_another(
    page: Page, desk: Desk, open_screen: Callable[..., None]
) -> None:
    desk.call("POST", "/api/views", json={"screen": "claims", "name": "Mine", "search": "status=Paid"})
    open_screen("/reg")
    panel = opened_views(page)
    expect(panel).to_contain_text("A view keeps the search")
    expect(panel.get_by_role("button", name="Mine")).to_have_count(0)


def test_the_panel_stays_inside_the_window(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    for number in range(30):
        view = {"screen": "claims", "name": f"View {number} with a name of some length", "search": f"q={number}"}
        desk.call("POST", "/api/views", json=view)
    open_screen("/Withdraw")
    panel = opened_views(page)
    expect(panel.get_by_role("button", name=re.compile("^View 29"))).to_be_visible()
    box = panel.bounding_box()
    window = page.viewport_size
    assert box
    assert window
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= window["width"]
    assert box["y"] + box["height"] <= window["height"]
