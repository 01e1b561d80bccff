"""A desk whose metrics are read as Prometheus reads them."""

import re
from collections.abc import Callable
from typing import Any

from tests.desk import Desk

TOKEN = "a-token-for-prometheus"
SAMPLE = re.compile(r"^(countinghouse_\w+)(?:\{(.*)\})? (\S+)$", re.MULTILINE)


def metered(open_desk: Callable[..., Desk], **settings: Any) -> Desk:
    return open_desk(metrics_token=TOKEN, **settings)


def scrape(desk: Desk) -> str:
    answer = desk.get("/metrics", by=TOKEN)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return answer.text


def samples(text: str) -> dict[str, float]:
    """The value of each series, by its name and its labels in their order."""
    return {f"{name}{{{labels}}}" if labels else name: float(value) for name, labels, value in SAMPLE.findall(text)}


def names(text: str) -> set[str]:
    return {name for name, _, _ in SAMPLE.findall(text)}
