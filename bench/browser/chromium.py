"""A Chromium in which every page starts cold and reports what it received and how long it worked."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from countinghouse.demo.actions import DEMO_PASSWORD, DEMO_USERNAME

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PROBE = HERE / "probe.js"
PATIENCE_SECONDS = 90.0
POLL_MS = 100


@dataclass(frozen=True)
class Profile:
    name: str
    width: int
    height: int
    slowed: int = 1
    round_trip_ms: int = 0
    bits_a_second: int = 0

    @property
    def is_phone(self) -> bool:
        return self.slowed > 1


DESKTOP = Profile("desktop", 1440, 900)
PHONE = Profile("phone", 390, 844, slowed=4, round_trip_ms=150, bits_a_second=1_600_000)


@dataclass
class Received:
    kind: str
    bytes: int
    at: float


@dataclass
class Wire:
    """What came over the network, by the network's own clock: seconds since the page was requested."""

    began: float | None = None
    kinds: dict[str, str] = field(default_factory=dict)
    under_way: set[str] = field(default_factory=set)
    received: list[Received] = field(default_factory=list)

    def listen(self, session: CDPSession) -> None:
        session.on("Network.requestWillBeSent", self._on_request)
        session.on("Network.responseReceived", self._on_response)
        session.on("Network.loadingFinished", self._on_finished)
        session.on("Network.loadingFailed", lambda event: self.under_way.discard(event["requestId"]))

    def _on_request(self, event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            self.began = self.began or event["timestamp"]
            self.under_way.add(event["requestId"])

    def _on_response(self, event: dict[str, Any]) -> None:
        is_script = "javascript" in event["response"]["mimeType"]
        self.kinds[event["requestId"]] = "Script" if is_script else event["type"]

    def _on_finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self.under_way:
            self.under_way.discard(event["requestId"])
            kind = self.kinds.get(event["requestId"], "Other")
            at = event["timestamp"] - (self.began or event["timestamp"])
            self.received.append(Received(kind, int(event["encodedDataLength"]), at))


@dataclass(frozen=True)
class ColdPage:
    page: Page
    session: CDPSession
    wire: Wire

    def probe(self, expression: str) -> Any:
        return self.page.evaluate(f"() => window.countinghouseProbe.{expression}")

    def work_seconds(self) -> dict[str, float]:
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return {metric["name"]: float(metric["value"]) for metric in metrics}

    def wait_for_rows(self) -> float:
        """Milliseconds from the start of the navigation to the first painted row."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            shown = self.probe("firstRowsMs")
            if shown is not None:
                return float(shown)
            self.page.wait_for_timeout(POLL_MS)
        raise RuntimeError(f"{self.page.url} showed no row within {PATIENCE_SECONDS:g} seconds.")


@contextmanager
def launched_browser() -> Iterator[Browser]:
    named = os.environ.get("CHROMIUM")
    chromium = named or subprocess.check_output([str(ROOT / "scripts/ensure_chromium")], text=True)
    arguments = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.strip(), args=arguments)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def cold_page(browser: Browser, profile: Profile, token: str) -> Iterator[ColdPage]:
    """A new context has no cache, no open connection and no compiled script; only the token is there."""
    context = browser.new_context(
        viewport={"width": profile.width, "height": profile.height},
        is_mobile=profile.is_phone,
        has_touch=profile.is_phone,
        locale="en-IN",
        timezone_id="Asia/Kolkata",
    )
    try:
        page = context.new_page()
        page.add_init_script(f"localStorage.setItem('token', {json.dumps(token)})")
        page.add_init_script(path=PROBE)
        session = context.new_cdp_session(page)
        wire = Wire()
        wire.listen(session)
        session.send("Network.enable")
        # CPU time of the page's thread and not wall time, because other programs use this machine too.
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        if profile.bits_a_second:
            bytes_a_second = profile.bits_a_second / 8
            conditions = {"offline": False, "latency": profile.round_trip_ms}
            rates = {"downloadThroughput": bytes_a_second, "uploadThroughput": bytes_a_second / 2}
            session.send("Network.emulateNetworkConditions", conditions | rates)
        if profile.slowed > 1:
            session.send("Emulation.setCPUThrottlingRate", {"rate": profile.slowed})
        yield ColdPage(page, session, wire)
    finally:
        context.close()


def signed_in_token(server_url: str) -> str:
    words = json.dumps({"username": DEMO_USERNAME, "password": DEMO_PASSWORD}).encode()
    asked = Request(f"{server_url}/api/admin/login", words, {"Content-Type": "application/json"})  # noqa: S310 - ours
    with urlopen(asked, timeout=60) as answer:  # noqa: S310 - our own address
        return str(json.load(answer)["token"])
