import json
import re
from html.parser import HTMLParser
from typing import Any

from tests.house.repository import ROOT

DIST = ROOT / "web" / "dist"
PLATFORMS = ("linux-x64", "linux-arm64", "darwin-arm64")
NATIVE = re.compile(rf"(?:{'|'.join(PLATFORMS)})(?:-gnu)?$")


def test_lock_file_contains_the_native_packages_of_every_platform() -> None:
    """npm silently omits what it cannot find, and the build then fails on that platform only."""
    packages: dict[str, dict[str, Any]] = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    locked = {path.rpartition("node_modules/")[2] for path in packages}
    families = 0
    missing = []
    for path, package in packages.items():
        native = [part for part in package.get("optionalDependencies", {}) if NATIVE.search(part)]
        if not native:
            continue
        families += 1
        missing += [part for part in native if part not in locked]
        missing += [f"{path} for {it}" for it in PLATFORMS if not any(re.search(rf"{it}(-gnu)?$", n) for n in native)]
    assert families >= 3, "rolldown, biome and lightningcss each have native parts"
    assert missing == []


class Page(HTMLParser):
    """Collects what the content security policy would block, and what is loaded from other hosts."""

    def __init__(self) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.foreign: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "style" or (tag == "script" and not given.get("src")):
            self.inline.append(f"<{tag}>")
        self.inline += [f"<{tag} {name}>" for name in given if name == "style" or name.startswith("on")]
        for name in ("src", "href", "srcset", "data", "action"):
            if re.match(r"\s*(?:[a-z]+:)?//", given.get(name) or "", re.IGNORECASE):
                self.foreign.append(f"<{tag} {name}={given[name]!r}>")


def read_page() -> Page:
    page = Page()
    page.feed((DIST / "index.html").read_text())
    return page


def test_built_page_has_no_inline_script_or_style() -> None:
    assert read_page().inline == []


def test_built_web_app_loads_nothing_from_other_hosts() -> None:
    loads = re.compile(
        r"url\(\s*[\"']?(?:https?:)?//[^)]*|@import\s+[\"'](?:https?:)?//[^\"']*"
        r"|import\(\s*[\"'`](?:https?:)?//[^\"'`]*|\b(?:from|import)\s*[\"']https?://[^\"']*"
        r"|https?://[^\s\"'`]+\.(?:m?js|css|woff2?|ttf|png|jpe?g|gif|svg|webp|ico)\b",
        re.IGNORECASE,
    )
    built = [path for path in DIST.rglob("*") if path.suffix in {".html", ".js", ".css", ".svg", ".json"}]
    assert built
    found = [f"{path.relative_to(DIST)}: {hit}" for path in built for hit in loads.findall(path.read_text())]
    assert read_page().foreign + found == []
