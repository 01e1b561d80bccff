"""The purchases that the findings of others depend on: those with the same reference, or with one a typo away."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date

import msgspec
from sqlalchemy import BindParameter, String, bindparam, exists, func, select

from countinghouse.core.db import Plan, Statement, Transaction
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.listing.sql import NestedLoopJoin, among, number, written
from countinghouse.core.times import to_moment
from countinghouse.india.days import start_and_end
from countinghouse.india.references import KnownKeys, one_slip_away, reference_key
from countinghouse.purchases.findings import MOST_OTHERS, Entry
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users

# The key, the amount and the day of a purchase: a typo is only looked for among purchases of the same amount and day.
_Payment = tuple[str, int, date]
# From this number of purchases of one day, the whole day is read: looking up 170 typos of each costs more.
_FEWEST_OF_A_DAY = 10
# How many rows are read for each purchase that is checked: a day has no limit.
_MOST_READ_FOR_EACH = 50
# Rows that are taken in within a few milliseconds.
_BETWEEN_PAUSES = 1000


class Days:
    """The keys of whole days, kept while one transaction checks purchases. `checked` is how many it checks."""

    def __init__(self, checked: int) -> None:
        self._rows_left = checked * _MOST_READ_FOR_EACH
        # By day and amount; None for a day that has too many purchases.
        self._keys: dict[date, dict[int, KnownKeys] | None] = {}

    def add(self, entry: Entry) -> None:
        """For a purchase that is not stored yet, or not under this key."""
        known = self._keys.get(entry.day)
        if known is not None:
            known[entry.amount_paise].add(entry.key)

    async def read(self, reader: Transaction, day: date, count: int) -> dict[int, KnownKeys] | None:
        """The keys by amount; None if looking up the typos of `count` purchases is cheaper."""
        if day in self._keys or count < _FEWEST_OF_A_DAY:
            return self._keys.get(day)
        self._keys[day] = None
        bounds = start_and_end(day)
        if bounds is None:
            return None
        values = {"start": bounds[0], "end": bounds[1], "most": self._rows_left + 1}
        found = await reader.all(_OF_DAY, values)
        self._rows_left -= len(found)
        if self._rows_left < 0:
            self._rows_left = 0
            return None
        keys: dict[int, KnownKeys] = defaultdict(KnownKeys)
        for place, (amount_paise, key) in enumerate(found):
            if place % _BETWEEN_PAUSES == 0:
                await reader.pause()
            if key is not None:
                keys[amount_paise].add(key)
        self._keys[day] = keys
        return keys


class RelatedPurchases:
    """Purchases by key. Those being checked are already listed under the key that they will get."""

    def __init__(self, reader: Transaction, days: Days) -> None:
        self._reader = reader
        self._days = days
        self._entries: dict[str, Entry] = {}
        # Key and findings as stored in the table.
        self.written: dict[str, tuple[str | None, str | None]] = {}
        # None for a key of very many purchases, where one more changes no finding. A key of none is left out.
        self._groups: dict[str, dict[str, Entry] | None] = {}
        self._asked: set[str] = set()
        self._slips: dict[_Payment, list[str]] = {}
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
            for key in self._slips.get(_payment(entry), ())
            for other in self.group(key)
            if other.amount_paise == entry.amount_paise and other.day == entry.day
        ]

    async def load(self, entries: Iterable[Entry]) -> None:
        """Loads all purchases with the keys of these, and those with keys that are one typo away."""
        slips = await self._find_slips({_payment(entry) for entry in entries if entry.key} - self._slips.keys())
        if not slips:
            return
        asked = {key for key, _, _ in slips}.union(*slips.values()) - self._asked
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
        for payment, near in slips.items():
            is_crowded = self._groups.get(payment[0], {}) is None
            self._slips[payment] = (
                [] if is_crowded else sorted(slip for slip in self._groups.keys() & near if self._groups[slip])
            )

    async def _find_slips(self, payments: set[_Payment]) -> dict[_Payment, set[str]]:
        """The keys one typo away: only those on purchases of the same amount and day, or all where those are too many
        to read. Either way the cost does not depend on the number of purchases."""
        by_day: dict[date, dict[int, set[str]]] = {}
        for key, amount_paise, day in payments:
            by_day.setdefault(day, {}).setdefault(amount_paise, set()).add(key)
        known = {
            day: await self._days.read(self._reader, day, sum(map(len, by_amount.values())))
            for day, by_amount in by_day.items()
        }
        for entry in (entry for group in self._own.values() for entry in group):
            self._days.add(entry)
        slips: dict[_Payment, set[str]] = {}
        for day, by_amount in by_day.items():
            keys_of_day = known[day]
            for amount_paise, keys in by_amount.items():
                find = one_slip_away if keys_of_day is None else keys_of_day[amount_paise].one_slip_away
                slips.update(((key, amount_paise, day), find(key)) for key in keys)
        return slips

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


def _payment(entry: Entry) -> _Payment:
    return entry.key, entry.amount_paise, entry.day


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
_OF_DAY = Statement(
    select(purchases.c.invest_paise, purchases.c.reference_key)
    .where(purchases.c.created_at >= bindparam("start"), purchases.c.created_at < bindparam("end"))
    .order_by(purchases.c.created_at, purchases.c.id)
    .limit(bindparam("most")),
    Plan.IN_ORDER,
)


def _select_used_keys(is_sqlite: bool) -> Statement:
    """Of the given keys, those that purchases have, and whether very many have it; each costs an index lookup."""
    keys: BindParameter[str] = bindparam("keys", type_=String)
    asked = (
        func.json_each(keys).table_valued("value", name="asked")
        if is_sqlite
        else func.unnest(func.string_to_array(keys, written(","))).table_valued("value", name="asked").render_derived()
    )
    # The OFFSET, even of 0, keeps PostgreSQL from reading the whole table for a join.
    same = select(number(1)).where(purchases.c.reference_key == asked.c.value).limit(number(1))
    is_used, is_crowded = (exists(same.offset(number(more_than))) for more_than in (0, MOST_OTHERS + 1))
    return Statement(select(asked.c.value, is_crowded).where(is_used))


_USED_KEYS = {is_sqlite: _select_used_keys(is_sqlite) for is_sqlite in (False, True)}
