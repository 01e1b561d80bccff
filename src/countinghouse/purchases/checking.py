"""Checks purchases: reads what their findings depend on, and finds the other purchases whose findings change."""

from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import BindParameter, String, bindparam, exists, func, select, text, update

from countinghouse.core.db import Reader, Statement, Transaction
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.listing.sql import NestedLoopJoin, among, number, written
from countinghouse.core.times import to_moment
from countinghouse.india.references import one_slip_away, reference_key
from countinghouse.purchases.findings import MOST_OTHERS, Display, Displays, Entry, find_findings, stored
from countinghouse.purchases.tables import purchases
from countinghouse.qr.tables import qr_displays
from countinghouse.users.tables import users

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
    related = _RelatedPurchases(transaction)
    await related.add(purchase_ids)
    await _write(transaction, await _check(transaction, related, set(purchase_ids)))


async def check_new(transaction: Transaction, new: Sequence[Entry]) -> dict[str, tuple[str, str]]:
    """The key and the findings of purchases that are inserted next, by their id: inserting them so costs half of
    changing them afterwards. Writes the findings of stored purchases that they change."""
    related = _RelatedPurchases(transaction)
    related.add_new(new)
    await transaction.pause()
    ids = {entry.id for entry in new}
    checked = await _check(transaction, related, ids)
    await _write(transaction, [row for row in checked if row[0] not in ids])
    return {purchase_id: (key, found) for purchase_id, key, found in checked if purchase_id in ids}


async def _check(reader: Reader, related: "_RelatedPurchases", checked: set[str]) -> list[_Checked]:
    """What is to be written, sorted by id."""
    await related.load(entry.key for entry in related.entries(checked))
    members = {member.id for entry in related.entries(checked) for member in related.group(entry.key)}
    await related.load(entry.key for entry in related.entries(members))
    # For every member and not only the new ones: placeholder words are not compared, and a reference becomes one when
    # it is used once too often.
    nearby = {other.id for entry in related.entries(members) for other in related.slips_from(entry)}
    changing = checked | members | nearby
    await related.load(entry.key for entry in related.entries(changing))
    displays = await _read_displays(reader, {entry.qr_name for entry in related.entries(changing)})
    rows = []
    for entry in related.entries(changing):
        others, slips = related.others(entry), related.nearby(entry)
        row = entry.key, stored(find_findings(entry, others, slips, displays))
        if related.written.get(entry.id) != row:
            rows.append((entry.id, *row))
    return sorted(rows)


class _RelatedPurchases:
    """Purchases by key. Those being checked are already listed under the key that they will get."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._entries: dict[str, Entry] = {}
        # Key and findings as stored in the table.
        self.written: dict[str, tuple[str | None, str | None]] = {}
        # None for a key of very many purchases, where one more changes no finding. A key of none is left out.
        self._groups: dict[str, dict[str, Entry] | None] = {}
        self._asked: set[str] = set()
        self._slips: dict[str, list[str]] = {}
        self._own: dict[str, list[Entry]] = {}

    async def add(self, purchase_ids: Sequence[str]) -> None:
        """Adds the purchases that are being checked. Call it once, first."""
        for entry in await self._read(_BY_ID, purchase_ids):
            self._own.setdefault(entry.key, []).append(entry)

    def add_new(self, new: Sequence[Entry]) -> None:
        """The same for purchases that are not stored yet."""
        for entry in new:
            self._entries[entry.id] = entry
            self._own.setdefault(entry.key, []).append(entry)

    def entries(self, ids: Iterable[str]) -> list[Entry]:
        return [self._entries[one] for one in sorted(ids)]

    def group(self, key: str) -> list[Entry]:
        """All purchases with this key; empty if it has very many, where one more changes no finding."""
        return list((self._groups.get(key) or {}).values())

    def others(self, entry: Entry) -> list[Entry] | None:
        if entry.key and self._groups[entry.key] is None:
            return None
        return [other for other in self.group(entry.key) if other.id != entry.id]

    def nearby(self, entry: Entry) -> list[Entry]:
        if self._is_placeholder(entry.key):
            return []
        return [other for other in self.slips_from(entry) if not self._is_placeholder(other.key)]

    def slips_from(self, entry: Entry) -> list[Entry]:
        return [
            other
            for key in self._slips.get(entry.key, ())
            for other in self.group(key)
            if other.amount_paise == entry.amount_paise and other.day == entry.day
        ]

    async def load(self, keys: Iterable[str]) -> None:
        """Loads all purchases with these keys, and all with keys that are one typo away."""
        slips = {key: one_slip_away(key) for key in keys if key and key not in self._slips}
        asked = set(slips).union(*slips.values()) - self._asked
        if not slips:
            return
        # No key contains a comma. Binding one text takes a tenth of the time that binding a list takes.
        bound = msgspec.json.encode(list(asked)).decode() if self._reader.is_sqlite else ",".join(asked)
        used: dict[str, bool] = dict(await self._reader.all(_USED_KEYS[self._reader.is_sqlite], {"keys": bound}))
        self._asked |= asked
        # Most of the keys are on no purchase: those cost nothing here.
        for key in (used.keys() | self._own.keys()) & asked:
            self._groups[key] = None if used.get(key) else {entry.id: entry for entry in self._own.get(key, ())}
        for entry in await self._read(_BY_KEY, sorted(key for key, is_crowded in used.items() if not is_crowded)):
            if entry.key in asked and (group := self._groups[entry.key]) is not None:
                group[entry.id] = entry
        for key, near in slips.items():
            is_crowded = self._groups.get(key, {}) is None
            self._slips[key] = (
                [] if is_crowded else sorted(slip for slip in self._groups.keys() & near if self._groups[slip])
            )

    def _is_placeholder(self, key: str) -> bool:
        group = self._groups[key] if key else None
        return group is None or len(group) > MOST_OTHERS

    async def _read(self, statement: Statement, values: Sequence[str]) -> list[Entry]:
        if not values:
            return []
        found = await self._reader.all(statement, {"ids": bound_ids(list(values), self._reader.is_sqlite)})
        read = []
        for purchase_id, made_at, client, amount_paise, upi_id, qr_name, key, findings in found:
            if purchase_id not in self._entries:
                moment, key_now = to_moment(made_at), reference_key(upi_id)
                self._entries[purchase_id] = Entry(purchase_id, moment, client, amount_paise, key_now, qr_name)
                self.written[purchase_id] = key, findings
            read.append(self._entries[purchase_id])
        return read


_COLUMNS = (
    purchases.c.id,
    purchases.c.created_at,
    users.c.username,
    purchases.c.invest_paise,
    purchases.c.upi_id,
    purchases.c.qr_name,
    purchases.c.reference_key,
    purchases.c.findings,
)
_entries = select(*_COLUMNS).select_from(NestedLoopJoin(purchases, users, purchases.c.user_id == users.c.id))
_BY_ID = Statement(_entries.where(among(purchases.c.id, bindparam("ids"))))
_BY_KEY = Statement(_entries.where(among(purchases.c.reference_key, bindparam("ids"))))


def _select_used_keys(is_sqlite: bool) -> Statement:
    """Of the given keys, those that purchases have, and whether very many have it; each costs an index lookup."""
    keys: BindParameter[str] = bindparam("keys", type_=String)
    asked = (
        func.json_each(keys).table_valued("value", name="asked")
        if is_sqlite
        else func.unnest(func.string_to_array(keys, written(","))).table_valued("value", name="asked").render_derived()
    )
    # The OFFSET, even of 0, keeps PostgreSQL from reading the whole table for a join.
    standing = select(number(1)).where(purchases.c.reference_key == asked.c.value).limit(number(1))
    is_used, is_crowded = (exists(standing.offset(number(more_than))) for more_than in (0, MOST_OTHERS + 1))
    return Statement(select(asked.c.value, is_crowded).where(is_used))


_USED_KEYS = {is_sqlite: _select_used_keys(is_sqlite) for is_sqlite in (False, True)}

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


_WRITE_ON_SQLITE = Statement(
    update(purchases)
    .where(purchases.c.id == bindparam("purchase_id"))
    .values(reference_key=bindparam("key"), findings=bindparam("found"))
)
# One statement for all rows, because the tallies' trigger runs once per statement.
_WRITE_ON_POSTGRES = Statement(
    text(
        "UPDATE purchases SET reference_key = seen.key, findings = seen.found "
        "FROM unnest(CAST(:ids AS text[]), CAST(:keys AS text[]), CAST(:found AS text[])) AS seen (id, key, found) "
        "WHERE purchases.id = seen.id"
    )
)


async def _write(transaction: Transaction, rows: list[_Checked]) -> None:
    if not rows:
        return
    if transaction.is_sqlite:
        names = ("purchase_id", "key", "found")
        await transaction.execute(_WRITE_ON_SQLITE, [dict(zip(names, row, strict=True)) for row in rows])
    else:
        ids, keys, found = map(list, zip(*rows, strict=True))
        await transaction.execute(_WRITE_ON_POSTGRES, {"ids": ids, "keys": keys, "found": found})
