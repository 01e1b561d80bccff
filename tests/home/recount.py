"""Counts every day again from the rows, without the database's help, and compares the tallies with it."""

from collections import Counter
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import select

from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.home.folding import fold
from countinghouse.home.tables import day_changes, day_tallies
from countinghouse.purchases.tables import purchases
from tests.desk import Desk
from tests.event_loop import run

Counts = dict[tuple[str, str, str], tuple[int, int]]


def recounted(desk: Desk, zone: str = "Asia/Kolkata") -> Counts:
    entries: Counter[tuple[str, str, str]] = Counter()
    paise: Counter[tuple[str, str, str]] = Counter()

    def count(kind: str, at: datetime, name: str, amount: int) -> None:
        key = kind, at.astimezone(ZoneInfo(zone)).date().isoformat(), name
        entries[key] += 1
        paise[key] += amount

    every = {row.id: row for row in desk.rows(select(claims))}
    for claim in every.values():
        count("requested", claim.created_at, claim.status, claim.amount_paise)
    for purchase in desk.rows(select(purchases)):
        count("bought", purchase.created_at, purchase.qr_name, purchase.invest_paise)
    last = {}
    for moved in desk.rows(select(claim_transitions).order_by(claim_transitions.c.number)):
        last[moved.claim_id, moved.to_status] = moved
    for moved in last.values():
        claim = every[moved.claim_id]
        count(moved.to_status, moved.moved_at, moved.moved_by, claim.amount_paise)
        if moved.to_status == "Paid":
            minutes = max(0, int((whole(moved.moved_at) - whole(claim.created_at)).total_seconds())) // 60
            step = 5 if minutes < 60 else 60 if minutes < 1440 else 1440
            count("waited", moved.moved_at, str((minutes // step + 1) * step), 0)
    return {key: (entries[key], paise[key]) for key in entries}


def whole(moment: datetime) -> datetime:
    return moment.replace(microsecond=0)


def tallied(desk: Desk) -> Counts:
    counts: dict[tuple[str, str, str], tuple[int, int]] = {}
    for table in (day_tallies, day_changes):
        for row in desk.rows(select(table)):
            before = counts.get((row.kind, row.day, row.name), (0, 0))
            counts[row.kind, row.day, row.name] = before[0] + row.entries, before[1] + row.amount_paise
    return {key: counted for key, counted in counts.items() if counted != (0, 0)}


def assert_days_are_true(desk: Desk, zone: str = "Asia/Kolkata") -> None:
    assert tallied(desk) == recounted(desk, zone)


def fold_all(desk: Desk) -> None:
    while desk.rows(select(day_changes.c.id).limit(1)):
        run(desk.database.write(fold))
