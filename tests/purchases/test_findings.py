"""Findings about the transaction id of a purchase, and of other purchases that it affects."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from countinghouse.core.ids import new_id
from countinghouse.india.references import one_slip_away
from countinghouse.purchases.actions import CHECKED_TOGETHER
from countinghouse.purchases.tables import purchases
from countinghouse.qr.tables import qr_codes, qr_displays, qr_images
from tests.desk import NEWEST, Desk, days_before
from tests.engines import on_one_engine
from tests.purchases.purchases import buy, buy_all, check, codes, found

REFERENCE = "631902345678"


def test_ordinary_purchases_have_no_findings(desk: Desk) -> None:
    first, second = buy(desk, REFERENCE), buy(desk, "631998765432")
    assert found(desk) == {first: {}, second: {}}


@pytest.mark.parametrize("again", [REFERENCE, "6319 0234 5678", "६३१९-०२३४-५६७८", "UTR: 631902345678"])
def test_the_same_reference_marks_both_purchases_and_names_the_other(desk: Desk, again: str) -> None:
    first = buy(desk, REFERENCE, "Om Rao", at=days_before(1), paise=250_050)
    second = buy(desk, again, "Asha Rao")
    assert found(desk) == {
        first: {
            "repeated": "This transaction ID is also on the purchase of Asha Rao over ₹5,000, made on 15 Nov 2026."
        },
        second: {
            "repeated": "This transaction ID is also on the purchase of Om Rao over ₹2,500.50, made on 14 Nov 2026."
        },
    }


@on_one_engine
def test_a_third_repetition_updates_the_findings_of_the_first_two(desk: Desk) -> None:
    bought = [buy(desk, REFERENCE, name, paise=1000 + n) for n, name in enumerate(("Om", "Asha", "Ravi"))]
    first, _, third = (found(desk)[one]["repeated"] for one in bought)
    assert first.startswith("This transaction ID is on 2 other purchases; the first, of Asha over ₹10.01, was made")
    assert third.startswith("This transaction ID is on 2 other purchases; the first, of Om over ₹10, was made")


def test_repetitions_are_counted_up_to_ten(desk: Desk) -> None:
    buy_all(desk, [{"upi_id": "none"}] * 10)
    assert {one["repeated"].split(";")[0] for one in found(desk).values()} == {
        "This transaction ID is on 9 other purchases"
    }
    full = "This transaction ID is on 10 or more other purchases."
    for count in (11, 12):
        buy(desk, "NONE")
        assert [one["repeated"] for one in found(desk).values()] == [full] * count
    marked = desk.rows(select(purchases).order_by(purchases.c.id))
    desk.change(update(purchases).where(purchases.c.id == marked[0].id).values(findings="as it was"))
    buy_all(desk, [{"upi_id": "N o n e"}] * 30)
    assert desk.rows(select(purchases).where(purchases.c.id == marked[0].id))[0].findings == "as it was"
    check(desk, every=True)
    assert [one["repeated"] for one in found(desk).values()] == [full] * 42


@on_one_engine
def test_inserting_many_repetitions_at_once_marks_the_earlier_purchase_too(desk: Desk) -> None:
    buy(desk, "NONE")
    buy_all(desk, [{"upi_id": "NONE"}] * 30)
    assert {one["repeated"] for one in found(desk).values()} == {
        "This transaction ID is on 10 or more other purchases."
    }


@on_one_engine
def test_a_missing_reference_does_not_count_as_repeated(desk: Desk) -> None:
    buy(desk, ""), buy(desk, "---"), buy(desk, " ")
    assert set(map(tuple, codes(desk).values())) == {()}


@pytest.mark.parametrize(
    ("near", "slip"),
    [("631902345679", "One digit away"), ("631902345687", "Two digits swapped")],
)
def test_two_nearly_equal_references_are_both_marked(desk: Desk, near: str, slip: str) -> None:
    first = buy(desk, REFERENCE, "Om Rao")
    second = buy(desk, near, "Asha Rao", at=NEWEST + timedelta(hours=3))
    assert found(desk) == {
        first: {"near": f"{slip} from {near}, Asha Rao's ₹5,000 purchase that day."},
        second: {"near": f"{slip} from {REFERENCE}, Om Rao's ₹5,000 purchase that day."},
    }


@on_one_engine
@pytest.mark.parametrize(
    "other",
    [
        {"upi_id": "631902345679", "paise": 500_001},
        {"upi_id": "631902345679", "at": days_before(1)},
        {"upi_id": "631902345690"},
        {"upi_id": "63190234567"},
        {"upi_id": "X31902345678"},
    ],
)
def test_another_amount_day_or_number_is_not_nearly_equal(desk: Desk, other: dict[str, Any]) -> None:
    buy(desk, REFERENCE), buy(desk, **other)
    assert all("near" not in one for one in codes(desk).values())


@on_one_engine
def test_nearly_equal_references_are_compared_within_an_indian_day(desk: Desk) -> None:
    late = datetime(2026, 11, 14, 18, 31, tzinfo=UTC)
    buy(desk, REFERENCE, at=late), buy(desk, "631902345679", at=late + timedelta(hours=23))
    assert all(one == ["near"] for one in codes(desk).values())
    buy(desk, "631902345670", at=late - timedelta(minutes=2))
    assert sorted(map(len, codes(desk).values())) == [0, 1, 1]


@on_one_engine
def test_words_are_never_nearly_equal(desk: Desk) -> None:
    near = buy(desk, "631902345679")
    buy_all(desk, [{"upi_id": REFERENCE}] * 10)
    assert codes(desk)[near] == ["near"]
    buy(desk, REFERENCE)
    assert codes(desk)[near] == []
    assert set(map(tuple, codes(desk).values())) == {(), ("repeated",)}


@on_one_engine
@pytest.mark.parametrize(
    ("upi_id", "kind", "named"),
    [
        ("631002345678", "UPI reference", "6 Nov 2026"),
        ("HDFCN26310123456", "NEFT reference", "6 Nov 2026"),
        ("HDFCR52026110612345678", "RTGS reference", "6 Nov 2026"),
        ("T2611060825467890123456", "transaction ID", "6 Nov 2026"),
        ("531902345678", "UPI reference", "15 Nov 2025"),
    ],
)
def test_a_reference_dated_another_day_is_a_finding(desk: Desk, upi_id: str, kind: str, named: str) -> None:
    sentence = f"This {kind} is dated {named}; the purchase was made on 15 Nov 2026."
    purchase_id = buy(desk, upi_id)
    assert found(desk) == {purchase_id: {"other_day": sentence}}


@on_one_engine
@pytest.mark.parametrize("days", [-1, 0, 1])
def test_days_are_in_indian_time_and_a_difference_of_one_day_is_accepted(desk: Desk, days: int) -> None:
    # Half past midnight in India, the day before in UTC.
    at = datetime(2026, 11, 14, 19, tzinfo=UTC) + timedelta(days=days)
    near = buy(desk, REFERENCE, at=at)
    assert found(desk) == {near: {}}
    far = buy(desk, "631900000000", at=datetime(2026, 11, 12, 18, 29, tzinfo=UTC))
    assert list(found(desk)[far]) == ["other_day"]


def show(desk: Desk, name: str, shown_at: datetime, hidden_at: datetime | None = None) -> None:
    qr_id, key = new_id(), new_id()
    picture = {"key": key, "content": b"", "sha256": "", "width": 1, "height": 1}
    code = {"id": qr_id, "created_at": shown_at, "name": name, "upi_id": "a@b", "upload_key": key, "status": "hide"}
    code |= {"is_cleared": True}
    display = {"id": new_id(), "qr_id": qr_id, "name": name, "shown_at": shown_at, "hidden_at": hidden_at}
    for table, row in ((qr_images, picture), (qr_codes, code), (qr_displays, display)):
        desk.change(insert(table).values(row))


HIDDEN = NEWEST - timedelta(minutes=31)


@pytest.mark.parametrize(
    ("qr_name", "minutes", "sentence"),
    [
        ("Desk 1", 0, None),
        ("Desk 2", 0, "“Desk 2” was not on display any more: it was hidden on 15 Nov 2026."),
        ("Desk 2", -1, None),
        ("Desk 2", -60, None),
        ("Desk 3", 0, "No code named “Desk 3” has ever been on display."),
        ("Desk 4", 0, "“Desk 4” was not on display yet: it was first displayed on 16 Nov 2026."),
        ("Desk 2", -60 * 24 * 5, None),
        ("Desk 3", -60 * 24 * 5, None),
        ("", 0, None),
    ],
)
def test_a_code_not_on_display_at_the_time_is_a_finding(
    desk: Desk, qr_name: str, minutes: int, sentence: str | None
) -> None:
    show(desk, "Desk 1", days_before(3))
    show(desk, "Desk 2", days_before(2), HIDDEN)
    show(desk, "Desk 4", NEWEST + timedelta(days=1))
    at = NEWEST + timedelta(minutes=minutes)
    purchase_id = buy(desk, "CICAgMDYnOvfPg", at=at, qr_name=qr_name)
    assert found(desk)[purchase_id] == ({"not_on_display": sentence} if sentence else {})


@on_one_engine
def test_of_two_codes_with_one_name_it_is_enough_that_one_was_on_display(desk: Desk) -> None:
    show(desk, "Desk 2", days_before(2))
    show(desk, "Desk 2", days_before(1), HIDDEN)
    purchase_id = buy(desk, REFERENCE, qr_name="Desk 2")
    assert found(desk) == {purchase_id: {}}


@on_one_engine
def test_without_any_displayed_code_there_is_no_display_finding(desk: Desk) -> None:
    purchase_id = buy(desk, REFERENCE, qr_name="Desk 9")
    assert found(desk) == {purchase_id: {}}


def some_references(random: Random, count: int) -> list[Mapping[str, Any]]:
    """Mostly similar: many are repeated, nearly equal, or dated another day."""
    return [
        {
            "upi_id": random.choice((f"6319 0000{random.randrange(30):04}", f"63190000{random.randrange(9)}", "NA")),
            "at": days_before(random.randrange(3)),
            "paise": random.choice((100_000, 200_000)),
        }
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_findings_are_the_same_incrementally_and_recomputed(desk: Desk, seed: int) -> None:
    random = Random(seed)  # noqa: S311 - the same rows every time
    rows = some_references(random, 120)
    while rows:
        size = random.choice((1, 1, 3, 20))
        buy_all(desk, rows[:size])
        del rows[:size]
    by_and_by = found(desk)
    assert len({code for one in by_and_by.values() for code in one}) == 3
    desk.change(update(purchases).values(findings=None, reference_key=None))
    assert check(desk) == 120
    assert found(desk) == by_and_by
    desk.change(update(purchases).values(findings="", reference_key="WRONG"))
    assert (check(desk), check(desk, every=True)) == (0, 120)
    assert found(desk) == by_and_by


@pytest.mark.parametrize("stored", [0, 40, 800])
def test_findings_are_the_same_for_rows_sent_alone_and_together(desk: Desk, stored: int) -> None:
    """Of a few rows together, the whole day is read, unless it has too many others: here 800 for 12. Without stored
    ones, more are sent than are checked together."""
    random = Random(stored)  # noqa: S311 - the same rows every time

    def some(count: int) -> list[Mapping[str, Any]]:
        return [
            {"upi_id": f"63190{random.randrange(10**7):07}", "paise": random.choice((100_000, 200_000))}
            for _ in range(count)
        ]

    def typo_of(row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**row, "upi_id": random.choice(sorted(one_slip_away(row["upi_id"])))}

    def all_found() -> dict[str, str]:
        return {row.upi_id: row.findings for row in desk.rows(select(purchases.c.upi_id, purchases.c.findings))}

    rows = some(stored or CHECKED_TOGETHER)
    rows += [typo_of(row) for row in rows[:6]] + some(3)
    rows += [typo_of(row) for row in rows[-3:]]
    rows = [{**row, "at": NEWEST + timedelta(seconds=place)} for place, row in enumerate(rows)]
    buy_all(desk, rows[:stored])
    buy_all(desk, rows[stored:])
    together = all_found()
    assert sum('"near"' in one for one in together.values()) >= 18
    desk.change(delete(purchases))
    buy_all(desk, rows[:stored])
    for row in rows[stored:]:
        buy_all(desk, [row])
    assert all_found() == together
