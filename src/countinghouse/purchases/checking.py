"""Checks purchases: reads what their findings depend on, and finds the other purchases whose findings change."""

from collections.abc import Sequence

from sqlalchemy import bindparam, func, select, text, update

from countinghouse.core.db import Reader, Statement, Transaction
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.listing.sql import among
from countinghouse.core.times import to_moment
from countinghouse.purchases.findings import Display, Displays, Entry, bits_of, codes_in, find_findings, stored
from countinghouse.purchases.related import Days, RelatedPurchases
from countinghouse.purchases.tables import purchases
from countinghouse.qr.tables import qr_displays

# An arbitrary constant; nothing else in the database may use the same number.
_CHECK_LOCK = 6_317_052_204


async def lock_references(transaction: Transaction) -> None:
    """Locks the check until the transaction ends: of two purchases with one reference, the later sees the earlier.

    One lock for all instead of one per reference, because a purchase may change the findings of purchases with other
    references. Writers of purchases wait for each other anyway, at their tally. SQLite allows only one writer.
    """
    if not transaction.is_sqlite:
        await transaction.all(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _CHECK_LOCK})


async def try_to_lock_references(transaction: Transaction) -> bool:
    if transaction.is_sqlite:
        return True
    return bool(await transaction.scalar(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": _CHECK_LOCK}))


# The id of a purchase, its key and its findings as they are stored.
_Checked = tuple[str, str, str]


async def write_findings(transaction: Transaction, purchase_ids: Sequence[str]) -> None:
    """Writes their findings and those of other purchases that they change. The transaction must hold the references."""
    related = RelatedPurchases(transaction, Days(len(purchase_ids)))
    await related.add(purchase_ids)
    await _write(transaction, await _check(transaction, related, set(purchase_ids)))


async def check_new(transaction: Transaction, new: Sequence[Entry], days: Days) -> dict[str, tuple[str, str]]:
    """The key and the findings of purchases that are inserted next, by their id: inserting them so costs half of
    changing them afterwards. Writes the findings of stored purchases that they change. `days` is kept for the next
    purchases that the same transaction inserts."""
    related = RelatedPurchases(transaction, days)
    related.add_new(new)
    await transaction.pause()
    ids = {entry.id for entry in new}
    checked = await _check(transaction, related, ids)
    await _write(transaction, [row for row in checked if row[0] not in ids])
    return {purchase_id: (key, found) for purchase_id, key, found in checked if purchase_id in ids}


async def _check(reader: Reader, related: RelatedPurchases, checked: set[str]) -> list[_Checked]:
    """What is to be written, sorted by id."""
    await related.load(related.entries(checked))
    members = {member.id for entry in related.entries(checked) for member in related.group(entry.key)}
    await related.load(related.entries(members))
    # For every member and not only the new ones: placeholder words are not compared, and a reference becomes one when
    # it is used once too often.
    nearby = {other.id for entry in related.entries(members) for other in related.slips_from(entry)}
    changing = checked | members | nearby
    await related.load(related.entries(changing))
    displays = await _read_displays(reader, {entry.qr_name for entry in related.entries(changing)})
    rows = []
    for entry in related.entries(changing):
        others, slips = related.others(entry), related.nearby(entry)
        row = entry.key, stored(find_findings(entry, others, slips, displays))
        if related.written.get(entry.id) != row:
            rows.append((entry.id, *row))
    return sorted(rows)


_FIRST_DISPLAY = Statement(select(func.min(qr_displays.c.shown_at)))
_DISPLAYS = Statement(
    select(qr_displays.c.name, qr_displays.c.shown_at, qr_displays.c.hidden_at).where(
        among(qr_displays.c.name, bindparam("ids"))
    )
)


async def _read_displays(reader: Reader, names: set[str]) -> Displays:
    ((first_at,),) = await reader.all(_FIRST_DISPLAY, {})
    if first_at is None:
        return Displays(None, {})
    by_name: dict[str, list[Display]] = {}
    for name, shown_at, hidden_at in await reader.all(_DISPLAYS, {"ids": bound_ids(sorted(names), reader.is_sqlite)}):
        display = Display(to_moment(shown_at), None if hidden_at is None else to_moment(hidden_at))
        by_name.setdefault(name, []).append(display)
    return Displays(to_moment(first_at), by_name)


# What was settled stays settled unless another kind of finding appears. The database compares it at the moment of the
# write, so that nothing settled meanwhile is overlooked.
_WRITE_ON_SQLITE = Statement(
    update(purchases)
    .where(purchases.c.id == bindparam("purchase_id"))
    .values(
        reference_key=bindparam("key"),
        findings=bindparam("found"),
        checked_codes=text("CASE WHEN checked_codes & :codes = :codes THEN checked_codes END"),
    )
)
# One statement for all rows, because the tallies' trigger runs once per statement.
_WRITE_ON_POSTGRES = Statement(
    text(
        "UPDATE purchases SET reference_key = seen.key, findings = seen.found, "
        "checked_codes = CASE WHEN checked_codes & seen.codes = seen.codes THEN checked_codes END "
        "FROM unnest(CAST(:ids AS text[]), CAST(:keys AS text[]), CAST(:found AS text[]), CAST(:codes AS bigint[])) "
        "AS seen (id, key, found, codes) "
        "WHERE purchases.id = seen.id"
    )
)


async def _write(transaction: Transaction, rows: list[_Checked]) -> None:
    if not rows:
        return
    written = [(*row, bits_of(codes_in(row[2]))) for row in rows]
    if transaction.is_sqlite:
        names = ("purchase_id", "key", "found", "codes")
        await transaction.execute(_WRITE_ON_SQLITE, [dict(zip(names, row, strict=True)) for row in written])
    else:
        ids, keys, found, codes = map(list, zip(*written, strict=True))
        await transaction.execute(_WRITE_ON_POSTGRES, {"ids": ids, "keys": keys, "found": found, "codes": codes})
