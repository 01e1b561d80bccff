"""A seal depends on every byte of its row's canonical form, so that form must never change."""

import json
from typing import Any

import pytest

from countinghouse.audit.chain import canonical

ROW: dict[str, Any] = {
    "seq": 7,
    "at": "2026-11-15T02:52:36.120345Z",
    "actor": "asha",
    "address": None,
    "verb": "claim.moved",
    "subject_id": "0" * 24,
    "before": '{"status": "Pending"}',
    "after": '{"status": "Paid", "reason": "\\u0939"}',
}


def by_the_standard_library(row: dict[str, Any]) -> bytes:
    text = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def test_the_form_is_the_one_that_seals_were_made_of() -> None:
    assert canonical(ROW) == (
        b'{"actor":"asha","address":null,"after":"{\\"status\\": \\"Paid\\", \\"reason\\": \\"\\\\u0939\\"}",'
        b'"at":"2026-11-15T02:52:36.120345Z","before":"{\\"status\\": \\"Pending\\"}","seq":7,'
        b'"subject_id":"000000000000000000000000","verb":"claim.moved"}'
    )


def test_every_character_has_one_form() -> None:
    for first in range(0, 0x110000, 0x800):
        row = ROW | {"actor": "".join(map(chr, range(first, first + 0x800)))}
        assert canonical(row) == by_the_standard_library(row), hex(first)


@pytest.mark.parametrize(
    "odd",
    [
        0,
        -1,
        2**63 - 1,
        -(2**63),
        2**64,
        -(2**70),
        1.0,
        1e16,
        1e-7,
        float("nan"),
        True,
        {"bytes": "00ff"},
        ["b", {}],
        "",
    ],
)
def test_values_that_an_altered_row_may_have_keep_their_form(odd: object) -> None:
    """SQLite stores anything in any column, and a line of an export may be any JSON."""
    row = ROW | {"seq": odd}
    assert canonical(row) == by_the_standard_library(row)
