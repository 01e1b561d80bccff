"""Encodes server-sent events. The id of each is the mark from which a screen can resume without missing anything."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from countinghouse.core.masked_answers import AnswerMask
from countinghouse.live.queries import LogRow, OpenClaim


def event(name: str, data: Any, mark: int | None) -> bytes:
    text = f"event: {name}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"
    return (text if mark is None else f"id: {mark}\n{text}").encode()


def beat(mark: int | None) -> bytes:
    """A comment, because proxies close idle connections. An id without data moves the mark and is not an event."""
    return b": alive\n\n" if mark is None else f": alive\nid: {mark}\n\n".encode()


def changes(rows: Sequence[LogRow], before: int, after: int) -> bytes:
    """Only the last event carries the new mark: a client that is cut off before it must receive the rest again."""
    visible = [row.change for row in rows if row.change is not None]
    last = len(visible) - 1
    return b"".join(event("change", change, after if place == last else before) for place, change in enumerate(visible))


def open_for(admin_id: str, every: Iterable[OpenClaim]) -> list[dict[str, str]]:
    """The claims that other admins have open: one entry per claim and admin, however many tabs."""
    first: dict[tuple[str, str], OpenClaim] = {}
    for one in every:
        if one.admin_id != admin_id:
            first.setdefault((one.claim_id, one.admin_id), one)
    return [{"claimId": one.claim_id, "by": one.by, "since": one.since} for one in first.values()]


_mask = AnswerMask(Any)


def masked(piece: bytes) -> bytes:
    """The same events for those who see masked numbers. The ids are marks, which are numbers themselves."""
    data = b"data: "
    lines = (data + _mask(line.removeprefix(data)) if line.startswith(data) else line for line in piece.split(b"\n"))
    return b"\n".join(lines)
