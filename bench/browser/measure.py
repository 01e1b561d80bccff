"""The browser part of the benchmark: our claims screen against a react-admin list over the same API."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from bench.browser.chromium import DESKTOP, PHONE, Profile, launched_browser, signed_in_token
from bench.browser.lanes import Lane, opened_lanes
from bench.browser.scrolling import FLYING, READING, Jump, Scroll, jump_far, scroll
from bench.browser.visits import Visit, Weight, visit, weigh
from bench.words import say

VISIT_ROUNDS = 9
SCROLL_ROUNDS = 1


@dataclass
class Visits:
    """One list per lane; the same index in each is the same round."""

    profile: Profile
    # One of each, because the same data is sent every time.
    ours_weight: Weight
    theirs_weight: Weight
    ours: list[Visit] = field(default_factory=list)
    theirs: list[Visit] = field(default_factory=list)
    ours_again: list[Visit] = field(default_factory=list)


@dataclass
class BrowserResult:
    chromium: str = ""
    visits: list[Visits] = field(default_factory=list)
    reading_ours: list[Scroll] = field(default_factory=list)
    reading_theirs: list[Scroll] = field(default_factory=list)
    flying_ours: list[Scroll] = field(default_factory=list)
    jumps_ours: list[Jump] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        return asdict(self)


def measure(
    server_url: str, work: Path, visit_rounds: int = VISIT_ROUNDS, scroll_rounds: int = SCROLL_ROUNDS
) -> BrowserResult:
    """`server_url` is a running Countinghouse with the demo admin and enough claims to scroll."""
    result = BrowserResult()
    token = signed_in_token(server_url)
    say("Browser: installing and building the react-admin list …")
    with opened_lanes(server_url, work) as (ours, theirs), launched_browser() as browser:
        result.chromium = browser.version
        for profile in (DESKTOP, PHONE):
            result.visits.append(_measure_visits(browser, (ours, theirs), profile, token, visit_rounds))
        for round_ in range(scroll_rounds):
            say(f"Browser: scrolling, round {round_ + 1} of {scroll_rounds} …")
            result.reading_ours.append(scroll(browser, ours, token, READING))
            result.reading_theirs.append(scroll(browser, theirs, token, READING))
            result.flying_ours.append(scroll(browser, ours, token, FLYING))
            result.jumps_ours += jump_far(browser, ours, token)
    return result


def _measure_visits(browser: Browser, lanes: tuple[Lane, Lane], profile: Profile, token: str, rounds: int) -> Visits:
    ours, theirs = lanes
    # A browser's first visit pays one-time startup costs, so no round counts it.
    say(f"Browser: all that a {profile.name} receives …")
    found = Visits(profile, weigh(browser, ours, profile, token), weigh(browser, theirs, profile, token))
    turns: list[tuple[Lane, Callable[[Visit], None]]] = [
        (ours, found.ours.append),
        (theirs, found.theirs.append),
        (ours, found.ours_again.append),
    ]
    for round_ in range(rounds):
        say(f"Browser: first rows on a {profile.name}, round {round_ + 1} of {rounds} …")
        # Each lane goes first, second and last equally often.
        first = round_ % len(turns)
        for lane, keep in turns[first:] + turns[:first]:
            keep(visit(browser, lane, profile, token))
    return found
