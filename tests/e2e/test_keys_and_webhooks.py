"""An operator connects another program: a key to send data in, a webhook to hear back."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Desk, Template, opened_desk
from tests.e2e.scanning import findings
from tests.webhooks.receiver import Answer, Receiver

SOON_MS = 15_000


@pytest.fixture
def own_desk(demo_template: Template, tmp_path: Path) -> Iterator[Desk]:
    """Webhooks may be sent to this machine."""
    with opened_desk(demo_template, tmp_path, COUNTINGHOUSE_WEBHOOK_PRIVATE_TARGETS="127.0.0.1/32") as desk:
        yield desk


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as running:
        yield running


def open_settings_page(page: Page, name: str) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("navigation", name="Screens").get_by_role("link", name="Settings").click()
    page.get_by_role("navigation", name="Pages").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


def run_in_a_shell(command: str) -> dict[str, Any]:
    """As an operator would: pasted, and nothing changed."""
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def commands_of(dialog: Locator) -> list[str]:
    dialog.get_by_text("Then a purchase and a claim").click()
    return dialog.locator("code").filter(has_text="curl ").all_inner_texts()


def test_the_commands_of_a_new_key_send_a_claim_that_arrives_live(page: Page, open_screen: Callable[..., None]) -> None:
    open_screen("/Data")
    open_settings_page(page, "Keys")
    expect(page.get_by_text("No keys yet")).to_be_visible()
    assert findings(page) == []
    page.get_by_role("button", name="New key").click()
    form = page.get_by_role("dialog", name="New key")
    expect(form.get_by_label("Name", exact=True)).to_be_focused()
    form.get_by_label("Name", exact=True).fill("shop app")
    for scope in ("users:write", "purchases:write", "claims:write"):
        form.get_by_role("checkbox", name=scope).check()
    assert findings(page) == []
    form.get_by_role("button", name="Make key").click()
    shown = page.get_by_role("dialog", name="The key “shop app”")
    expect(shown.locator("code").first).to_be_focused()
    commands = commands_of(shown)
    assert findings(page) == []
    shown.get_by_role("button", name="I have stored it").click()

    open_list_of_claims(page)
    for command in commands:
        (row,) = run_in_a_shell(command)["results"]
        assert row["outcome"] == "created", command
    assert run_in_a_shell(commands[0])["results"][0]["outcome"] == "created", "a retry gets the stored answer"
    page.get_by_role("button", name="1 new claim above").click(timeout=SOON_MS)
    expect(page.locator(f"[data-row-id='{row['_id']}']")).to_contain_text("Test client")

    open_settings_page(page, "Keys")
    key = page.get_by_role("row").filter(has_text="shop app")
    expect(key).not_to_contain_text("Last used Never")
    expect(key).to_contain_text("users:write, purchases:write, claims:write")
    assert findings(page) == []
    page.get_by_role("button", name="Revoke shop app").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Revoke").click()
    expect(key).to_contain_text("by ravi")
    assert run_in_a_shell(commands[0])["code"] == "key_revoked"


def open_list_of_claims(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("navigation", name="Screens").get_by_role("link", name="Withdraw").click()
    expect(page.locator("[data-row-id]").first).to_be_visible()


def test_a_webhook_is_added_tested_fails_and_recovers(
    page: Page, open_screen: Callable[..., None], receiver: Receiver
) -> None:
    open_screen("/Data")
    open_settings_page(page, "Webhooks")
    assert findings(page) == []
    page.get_by_role("button", name="New webhook").click()
    page.get_by_label("Address").fill(receiver.url)
    assert findings(page) == []
    page.get_by_role("button", name="Add webhook").click()
    shown = page.get_by_role("dialog", name="The secret of this webhook")
    receiver.secrets.append(shown.locator("code").inner_text())
    assert findings(page) == []
    shown.get_by_role("button", name="I have stored it").click()

    receiver.answer = lambda _: Answer(503, {}, b"closed for repairs")
    page.get_by_role("button", name="Deliveries to").click()
    log = page.get_by_role("dialog", name="Deliveries")
    log.get_by_role("button", name="Send test event").click()
    expect(log.get_by_role("listitem")).to_contain_text("Answered 503.")
    expect(log.get_by_role("listitem")).to_contain_text("closed for repairs")
    assert findings(page) == []
    log.get_by_role("button", name="Close").click()
    page.reload()
    expect(page.get_by_role("row").filter(has_text=receiver.url)).to_contain_text("Failing")
    expect(page.get_by_role("button", name="Menu. A webhook is failing.")).to_be_visible()
    assert findings(page) == []

    receiver.answer = lambda _: Answer()
    page.get_by_role("button", name="Deliveries to").click()
    log.get_by_role("button", name="Resend webhook.test").click()
    expect(log.get_by_role("listitem")).to_contain_text("Delivered")
    log.get_by_role("button", name="Close").click()
    expect(page.get_by_role("row").filter(has_text=receiver.url)).to_contain_text("Enabled")
    expect(page.get_by_role("button", name="Menu", exact=True)).to_be_visible()
