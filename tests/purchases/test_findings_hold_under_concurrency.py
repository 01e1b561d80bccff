"""Purchases inserted at the same moment are compared with each other."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Barrier

import pytest
from sqlalchemy import select, update

from countinghouse.core.db import Database, Transaction
from countinghouse.core.ids import new_id
from countinghouse.purchases.actions import NewPurchase, check_purchases, check_unchecked, record_purchases
from countinghouse.purchases.checking import lock_references, write_findings
from countinghouse.purchases.tables import purchases
from tests.desk import NEWEST, Desk
from tests.event_loop import run, start
from tests.purchases.purchases import check, codes, found

TOGETHER = 50
# At most the size of the connection pool: more threads would wait for the pool instead of the database.
AT_ONCE = 20


def spellings(count: int) -> list[str]:
    digits = "631902345678"
    ways: list[Callable[[int], str]] = [
        lambda n: " " * (n % 5) + digits,
        lambda n: digits[: n % 12] + "-" + digits[n % 12 :],
        lambda n: "".join(chr(0x966 + int(digit)) for digit in digits) + "\u200b" * (n % 3),
        lambda n: "utr" + " " * (n % 2) + digits,
    ]
    return [ways[n % len(ways)](n) for n in range(count)]


def write_together(desk: Desk, references: list[str], amounts: list[int]) -> None:
    barrier = Barrier(min(AT_ONCE, len(references)))
    users = [desk.add_user(username=f"Client {n}") for n in range(len(references))]

    def write(n: int) -> None:
        new = NewPurchase(NEWEST, users[n], amounts[n], 100, references[n], "Daily", "Desk 1")
        if n < barrier.parties:
            barrier.wait(60)
        run(desk.database.write(lambda transaction: record_purchases(transaction, [new])))

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(write, range(len(references))))


def test_fifty_purchases_with_one_reference_are_all_marked(desk: Desk) -> None:
    write_together(desk, spellings(TOGETHER), [500_000] * TOGETHER)
    sentences = [one["repeated"] for one in found(desk).values()]
    assert sentences == ["This transaction ID is on 10 or more other purchases."] * TOGETHER


@pytest.mark.parametrize("amounts", [[500_000] * 8, [500_000, 200_000] * 4])
def test_concurrent_inserts_give_the_same_findings_as_a_later_check(desk: Desk, amounts: list[int]) -> None:
    """Both repeated and nearly equal references: a purchase also changes the findings of other references."""
    references = ["631902345678", "631902345678", "631902345679", "631902345679", "631902345687", "631902345687"]
    write_together(desk, [*references, "631902345670", "631902345678"], amounts)
    together = found(desk)
    assert all("repeated" in one or "near" in one for one in together.values())
    desk.change(update(purchases).values(findings=None))
    check(desk)
    assert found(desk) == together


@pytest.mark.parametrize("is_new", [False, True])
def test_a_check_or_an_insert_waits_for_a_running_check(desk: Desk, is_new: bool) -> None:
    """Without the lock, neither would see the uncommitted rows of the other."""
    user_id = desk.add_user()
    first = desk.add_purchase(upi_id="631902345678")[1]
    second = None if is_new else desk.add_purchase(upi_id="6319 0234 5678")[1]

    async def check_one(transaction: Transaction, purchase_id: str) -> None:
        await lock_references(transaction)
        await write_findings(transaction, [purchase_id])

    async def follow(transaction: Transaction) -> None:
        if second is None:
            new = NewPurchase(NEWEST, user_id, 500_000, 100, "6319-0234-5678", "Daily", "Desk 1")
            await record_purchases(transaction, [new])
        else:
            await check_one(transaction, second)

    with desk.database.uncommitted(lambda transaction: check_one(transaction, first)):
        following = start(desk.app_database.write(follow))
        assert wait([following], timeout=0.5).not_done
    following.result()
    assert list(codes(desk).values()) == [["repeated"]] * 2


def test_several_processes_checking_at_once_leave_no_purchase_unchecked(desk: Desk) -> None:
    user_id = desk.add_user()
    for n in range(30):
        desk.add_purchase(user_id=user_id, upi_id=f"63190234{n // 2:04}", invest_paise=1000 + n)
    others = [Database(desk.settings.database) for _ in range(3)]
    try:
        checks = [start(check_unchecked(database)) for database in others]
        checks += [start(check_purchases(database, lambda *_: None, every=False)) for database in others]
        assert sum(check.result() for check in checks) >= 30
    finally:
        for database in others:
            database.close()
    assert list(codes(desk).values()) == [["repeated"]] * 30


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_the_background_check_does_not_wait_for_another_transaction(desk: Desk) -> None:
    desk.add_purchase()
    new = NewPurchase(NEWEST, desk.add_user(), 1, 1, new_id(), "Daily", "Desk 1")
    with desk.database.uncommitted(lambda transaction: record_purchases(transaction, [new])):
        assert run(check_unchecked(desk.database)) == 0
    assert run(check_unchecked(desk.database)) == 1
    assert len(desk.rows(select(purchases).where(purchases.c.findings.is_(None)))) == 0
