"""Home: each figure leads to the list that adds up to it, on both sizes; nothing is found by axe."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Desk
from tests.e2e.scanning import findings

ONLY_LOOKS = True


def test_every_kind_of_figure_leads_to_its_list(page: Page, desk: Desk, open_screen: Callable[..., None]) -> None:
    open_screen("/Home")
    queue = page.get_by_role("table", name="Age of the queue")
    expect(queue.get_by_role("row")).to_have_count(4)
    assert findings(page) == []
    figures = desk.call("GET", "/api/home?days=30").json()
    (person, *_) = figures["people"]
    paid = sum(day["paid"]["count"] for day in figures["days"])
    for figure, count in (
        (queue.get_by_role("row", name=re.compile("^Pending")).get_by_role("link").first, None),
        (page.get_by_role("region", name="Claims per day").get_by_role("listitem").last.get_by_role("link"), paid),
        (
            page.get_by_role("table", name="Work by admin").get_by_role("link").first,
            person["accepted"]["count"],
        ),
    ):
        shown = figure.inner_text().replace(",", "")
        assert count is None or int(shown) == count
        figure.click()
        expect(page.get_by_text(re.compile(rf"^{int(shown):,} claims?\b")).first).to_be_visible()
        page.go_back()
        expect(queue).to_be_visible()


@pytest.mark.parametrize("days", [30, 90])
def test_a_chart_has_its_table(page: Page, open_screen: Callable[..., None], days: int) -> None:
    open_screen(f"/Home?days={days}")
    chart = page.get_by_role("region", name="Amounts per day")
    chart.get_by_text("Show as a table").click()
    expect(chart.get_by_role("rowheader")).to_have_count(days)
    # Only the table scrolls sideways.
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
