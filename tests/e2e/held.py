"""Requests of a page that wait until a test lets them go."""

from playwright.sync_api import Page, Route

from tests.waiting import PATIENCE_SECONDS

STEP_MS = 20


class Held:
    """What the page requests may reach the test later than its effect on the page."""

    def __init__(self, page: Page, url: str) -> None:
        self._page, self._url = page, url
        self._routes: list[Route] = []
        self._is_over = False
        page.route(url, self._take)

    def _take(self, route: Route) -> None:
        if self._is_over:
            route.continue_()
        else:
            self._routes.append(route)

    def wait(self) -> list[Route]:
        """At least one. Only while the page is asked something does it tell what it has requested."""
        for _ in range(int(PATIENCE_SECONDS * 1000 / STEP_MS)):
            if self._routes:
                return list(self._routes)
            self._page.wait_for_timeout(STEP_MS)
        raise AssertionError(f"No request of {self._url}")

    def let_go(self) -> None:
        """What is requested from then on is no longer held."""
        routes = self.wait()
        self._is_over = True
        for route in routes:
            route.continue_()
