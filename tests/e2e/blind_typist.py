"""Types references and then whatever comes, without looking at the screen, and keeps a log of it in the page."""

from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

from playwright.sync_api import Page, Request, Route, expect

from countinghouse.claims.references import LONGEST_TYPED

# Letters that are shortcuts on some screen, what belongs to references, and the keys that press buttons.
NOISE = [*"jkpahrumxyt019/? A", "Enter"]
# Shorter than the pause that ends the quiet after a dialog: what a busy machine types more slowly proves nothing.
STEADY_MS = 450
ARMING_MS = 500

LOG = """
    window.typed = [];
    const note = ({ isTrusted, ctrlKey, key }) => isTrusted && !ctrlKey && window.typed.push([performance.now(), key]);
    addEventListener('keydown', note, { capture: true });
"""


@dataclass
class Typist:
    page: Page
    random: Random
    keystrokes: int = 0
    # The requests of the page that change a claim.
    sent: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    held: list[Route] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.add_init_script(LOG)
        self.page.on("request", self._hear)

    def _hear(self, request: Request) -> None:
        if request.method == "PUT" and request.url.endswith("/status"):
            self.sent.append((request.url.split("/")[-2], request.post_data_json or {}))

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.keystrokes += 1

    def type(self, text: str) -> None:
        for letter in text:
            self.press(letter)

    def make_noise(self, count: int) -> None:
        """Answers that are held back arrive in the middle of it."""
        released_at = self.random.randrange(count)
        for place in range(count):
            if place == released_at:
                self.release()
            self.press(self.random.choice(NOISE))

    def release(self) -> None:
        for route in self.held:
            route.continue_()
        self.held.clear()

    def log(self) -> list[tuple[float, str]]:
        """What was typed since the last call, with the time in milliseconds."""
        found: list[tuple[float, str]] = self.page.evaluate("window.typed.splice(0)")
        return found

    def leave(self) -> None:
        """Closes what is open. The next walk ends the quiet after a dialog by an arrow key or the pointer."""
        self.release()
        opened = self.page.locator("dialog[open], [role=menu], [role=dialog]")
        for _ in range(100):
            if not opened.count():
                break
            self.press("Escape")
            self.page.wait_for_timeout(50)
            self.release()
        expect(opened).to_have_count(0)
        self.log()


def is_steady(log: list[tuple[float, str]], since: int) -> bool:
    return all(later - earlier < STEADY_MS for (earlier, _), (later, _) in pairwise(log[max(0, since - 1) :]))


def plain(text: str) -> str:
    return "".join(text.split()).upper()


def may_confirm(log: list[tuple[float, str]], pasted: str, given: str) -> bool:
    """Whether an Enter, half a second after the dialog opened, followed exactly this text."""
    opened, text = log[0][0], pasted
    for at, key in log[1:]:
        if key == "Enter":
            if plain(text) and plain(text) == plain(given) and at - opened >= ARMING_MS:
                return True
        elif len(key) == 1 and len(text) < LONGEST_TYPED:
            text += key
    return False
