"""The accessibility scan: all rules in the light theme, and the colour contrast rule again in the dark theme."""

from typing import Any, Literal

from playwright.sync_api import Page

from tests.postgres_cluster import ROOT

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ALL = {"type": "tag", "values": RULES}
# Of what passes, one element each: describing all of them takes a third of the scan.
IN_SHORT = {"resultTypes": ["violations"]}
COLOURS = {"type": "rule", "values": ["color-contrast"]}


def findings(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        # By evaluate, because the page's own policy lets no foreign script in.
        page.evaluate(AXE.read_text())
    found = [*_scan(page, "light", ALL), *_scan(page, "dark", COLOURS)]
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return found


def _scan(page: Page, scheme: Literal["light", "dark"], rules: dict[str, Any]) -> list[str]:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    found: dict[str, Any] = page.evaluate("options => axe.run(document, options)", {"runOnly": rules, **IN_SHORT})
    assert found["passes"], "the scan looked at nothing"
    return [f"{scheme}, {one['id']}: {node['html'][:200]}" for one in found["violations"] for node in one["nodes"]]
