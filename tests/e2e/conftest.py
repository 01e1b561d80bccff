"""A real Chromium against the real server, with demo data that each test has to itself."""

import fcntl
import json
import os
import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, expect, sync_playwright

from countinghouse.admins.actions import add_admin, open_session
from countinghouse.audit.actions import COMMAND
from countinghouse.core.db import Database, Transaction
from countinghouse.core.migrate import migrate
from countinghouse.demo.actions import DEMO_PASSWORD, DEMO_USERNAME, Sizes, fill_demo
from countinghouse.settings import Settings
from tests.event_loop import run
from tests.postgres_cluster import ROOT
from tests.proxy import BadLine, bad_line_to
from tests.servers import running_server

# Generous, for shared machines: the tests check what appears, not how fast.
PATIENCE_MS = 20_000
expect.set_options(timeout=PATIENCE_MS)

# Chromium would open internal pages for the address bar of each window, which use three times the resources of ours.
# Only the last --disable-features list takes effect, so the entries of Playwright's list that matter are repeated.
FEATURES_OFF = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,HttpsUpgrades,MediaRouter,OptimizationHints,PaintHolding"

# Test machines have no GPU, and Chromium takes a third of a test's time to emulate one.
WITHOUT_GPU = ("--disable-gpu", "--disable-software-rasterizer", "--in-process-gpu")

# The calls use no TLS. Without this, each loads the certificates of all authorities, which takes longer than the call.
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}


@dataclass
class Desk:
    """The server behind the browser, and a second admin who calls its API directly."""

    url: str
    tokens: dict[str, str]

    def call(self, method: str, path: str, *, by: str = "ravi", **more: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {self.tokens[by]}"} | more.pop("headers", {})
        return httpx2.request(
            method, self.url + path, headers=headers, verify=NO_CERTIFICATES, **{"timeout": 30, **more}
        )

    def sign_in_the_other(self) -> None:
        """Log in the demo admin for API calls, in addition to ravi, who exists in every template."""
        login = {"username": DEMO_USERNAME, "password": DEMO_PASSWORD}
        self.tokens[DEMO_USERNAME] = self.call("POST", "/api/admin/login", json=login).json()["token"]

    def claims(self, status: str) -> list[dict[str, Any]]:
        return [claim for claim in self.call("GET", "/api/claims/all").json() if claim["status"] == status]


@dataclass(frozen=True)
class Template:
    path: Path
    tokens: dict[str, str]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    chromium = os.environ.get("CHROMIUM") or subprocess.check_output([f"{ROOT}/scripts/ensure_chromium"], text=True)
    arguments = ["--no-sandbox", *WITHOUT_GPU, f"--disable-features={FEATURES_OFF}"]
    launched = playwright.chromium.launch(executable_path=chromium.strip(), args=arguments)
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def demo_template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    return filled_template(tmp_path_factory, "demo", Sizes(users=40, purchases=60, claims=120))


@pytest.fixture(scope="session")
def busy_template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """Demo data with more than a hundred pending claims."""
    return filled_template(tmp_path_factory, "busy", Sizes(users=150, purchases=250, claims=1400))


def filled_template(temporary: pytest.TempPathFactory, name: str, sizes: Sizes) -> Template:
    """Created once per run by the first worker that needs it, while the others wait."""
    own = temporary.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / f"template_{name}"
    folder.mkdir(exist_ok=True)
    path, tokens = folder / "demo.db", folder / "tokens.json"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not tokens.exists():
            tokens.write_text(json.dumps(_fill(path, sizes)))
    return Template(path, json.loads(tokens.read_text()))


def _fill(path: Path, sizes: Sizes) -> dict[str, str]:
    settings = Settings(database_url=f"sqlite:///{path}", _env_file=None)
    database = Database(settings.database)
    migrate(database)
    until = datetime(2026, 11, 14, 12, 30, tzinfo=UTC)
    run(fill_demo(database, sizes, 7, lambda *_: None, until))

    async def sign_in(transaction: Transaction) -> str:
        ravi = await add_admin(transaction, COMMAND, "ravi", "a hash never looked at")
        return (await open_session(transaction, COMMAND, ravi.id, settings, new_device=False)).token

    token = run(database.write(sign_in))
    database.close()
    return {"ravi": token}


@contextmanager
def opened_desk(template: Template, folder: Path, **settings: str) -> Iterator[Desk]:
    copy = folder / "desk.db"
    shutil.copyfile(template.path, copy)
    with running_server(f"sqlite:///{copy}", None, **settings) as url:
        yield Desk(url, dict(template.tokens))


@pytest.fixture
def own_desk(demo_template: Template, tmp_path: Path) -> Iterator[Desk]:
    with opened_desk(demo_template, tmp_path) as desk:
        yield desk


@pytest.fixture(scope="session")
def shared_desk(demo_template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with opened_desk(demo_template, tmp_path_factory.mktemp("shared")) as desk:
        yield desk


@pytest.fixture
def desk(request: pytest.FixtureRequest) -> Desk:
    """A separate server for each test, or a shared one if the test's module sets ONLY_LOOKS."""
    only_looks = getattr(request.module, "ONLY_LOOKS", False)
    chosen: Desk = request.getfixturevalue("shared_desk" if only_looks else "own_desk")
    return chosen


@pytest.fixture
def bad_line(desk: Desk) -> Iterator[BadLine]:
    with bad_line_to(desk.url) as line:
        yield line


@pytest.fixture(params=["desktop", "phone"])
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def context(browser: Browser, size: str) -> Iterator[BrowserContext]:
    on_phone = size == "phone"
    opened = browser.new_context(
        viewport=PHONE if on_phone else DESKTOP,  # type: ignore[arg-type]
        has_touch=on_phone,
        is_mobile=on_phone,
        locale="en-IN",
        timezone_id="Asia/Kolkata",
        reduced_motion="reduce",
    )
    opened.set_default_timeout(PATIENCE_MS)
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that must never break its own Content-Security-Policy nor throw."""
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            complaints.append(message.text)

    opened = context.new_page()
    opened.on("console", hear)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    yield opened
    assert complaints == []


@pytest.fixture
def sign_in(page: Page, desk: Desk) -> Callable[..., None]:
    """Types the name and the password and waits for the first screen."""

    def sign_in_at(url: str | None = None) -> None:
        page.goto(url or desk.url)
        page.get_by_label("Username").fill(DEMO_USERNAME)
        page.get_by_label("Password", exact=True).fill(DEMO_PASSWORD)
        page.get_by_role("button", name="Login").click()
        page.get_by_role("heading", name="Client Data").wait_for()

    return sign_in_at


@pytest.fixture
def open_screen(page: Page, desk: Desk) -> Callable[..., None]:
    """Opens a screen as an admin whose token is stored already."""

    def open_at(path: str, url: str | None = None) -> None:
        page.add_init_script(f"localStorage.setItem('token', '{desk.tokens['ravi']}')")
        page.goto((url or desk.url) + path)
        page.get_by_role("heading", level=1).wait_for()

    return open_at
