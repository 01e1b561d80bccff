"""The words of the stream: server-sent events, each with the mark from which a screen loses nothing if it resumes."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from countinghouse.live.queries import LogRow, OpenClaim


def event(name: str, data: Any, mark: int | None) -> bytes:
    said = f"event: {name}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"
    return (said if mark is None else f"id: {mark}\n{said}").encode()


def beat(mark: int | None) -> bytes:
    """A comment, for those on the way who close what is silent; an id alone moves the mark and is no event."""
    return b": alive\n\n" if mark is None else f": alive\nid: {mark}\n\n".encode()


def changes(rows: Sequence[LogRow], before: int, after: int) -> bytes:
    """The new mark goes with the last one only: whoever is cut off before that has to hear the rest again."""
    told = [row.change for row in rows if row.change is not None]
    last = len(told) - 1
    return b"".join(event("change", change, after if place == last else before) for place, change in enumerate(told))


def open_for(admin_id: str, every: Iterable[OpenClaim]) -> list[dict[str, str]]:
    """What others have open: each of them once for a claim, with as many tabs as may be."""
    first: dict[tuple[str, str], OpenClaim] = {}
    for one in every:
        if one.admin_id != admin_id:
            first.setdefault((one.claim_id, one.admin_id), one)
    return [{"claimId": one.claim_id, "by": one.by, "since": one.since} for one in first.values()]
