"""A noun's list, and the statement for each kind of query. Each shape is built once, and its values are bound."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Column,
    ColumnElement,
    FromClause,
    Join,
    Select,
    Table,
    bindparam,
    select,
)
from sqlalchemy.sql.visitors import iterate

from countinghouse.core.db import Plan, Statement
from countinghouse.core.errors import InvalidInput
from countinghouse.core.listing.cursors import after_cursor, read_cursor
from countinghouse.core.listing.declarations import Order, Shape, Tallies
from countinghouse.core.listing.items import Cells, Fields, Items, list_columns, number_columns, selected
from countinghouse.core.listing.query import ListFilters, ListQuery, filters_of
from countinghouse.core.listing.searching import Child, Parent, Search, search_values, words_of
from countinghouse.core.listing.sql import (
    LookupJoin,
    NestedLoopJoin,
    among,
    among_numbers,
    number,
    unindexed,
)

MOST_STATEMENTS = 1000
_SKIP: BindParameter[int] = bindparam("skip", type_=BigInteger)


@dataclass(frozen=True, eq=False)
class Listing:
    table: Table
    tallies: Tallies
    # The JSON object's fields, read from the table or a subquery of it; the parents' columns are available too.
    fields: Callable[[FromClause], Fields]
    orders: Mapping[str, Order]
    # Its fields declare the filters.
    query: type[ListFilters]
    searched: tuple[Column[str], ...] = ()
    # Columns that identify a row: a search for the whole value finds it.
    identifying: tuple[Column[str], ...] = ()
    # Whether migrations made an index of the searched words. Without one a search reads every row.
    has_search_index: bool = True
    parents: tuple[Parent, ...] = ()
    children: tuple[Child, ...] = ()
    # Whether each filter has an index in the order of the list.
    has_filter_indexes: bool = False
    # Whether there may be account or mobile numbers outside the fields that are masked, as in recorded changes.
    has_unmasked_numbers: bool = False
    # Searched columns of which only the whole word matches.
    matched_whole: frozenset[ColumnElement[Any]] = frozenset()
    # Searched texts in which numbers are masked.
    masked: frozenset[ColumnElement[Any]] = frozenset()
    # Fields that cost more to read, by name: for single rows, and for lists that ask for them.
    more_fields: Mapping[str, Callable[[FromClause], Fields]] = field(default_factory=dict)
    # The column of the amount filters, in paise.
    amount_paise: Column[int] | None = None
    _statements: dict[Hashable, Statement] = field(default_factory=dict)

    @property
    def amount(self) -> Column[int]:
        if self.amount_paise is None:
            raise TypeError(f"the list of {self.table.name} has no amount")
        return self.amount_paise

    @cached_property
    def filters(self) -> dict[str, ColumnElement[bool]]:
        return {name: declared.condition(self) for name, declared in filters_of(self.query).items()}

    @cached_property
    def narrowing(self) -> tuple[str, ...]:
        """The filters that may leave few rows or many."""
        return tuple(name for name, declared in filters_of(self.query).items() if declared.narrows)

    def beside(self, name: str) -> tuple[str, ...]:
        return filters_of(self.query)[name].beside

    def statement(self, key: Hashable, build: Callable[[], Select[Any]], plan: Plan = Plan.ONCE) -> Statement:
        """Built at its first use. Common shapes are few, but clients can request odd ones: the cache is capped."""
        found = self._statements.get(key)
        if found is None:
            found = Statement(build(), plan)
            if len(self._statements) < MOST_STATEMENTS:
                self._statements[key] = found
        return found

    def shape(self, asked: ListFilters, ids: list[str] | None) -> Shape:
        present = tuple(name for name in self.filters if getattr(asked, name) is not None)
        return Shape(present, is_searching=asked.q is not None and ids is None, is_among=ids is not None)

    @cached_property
    def search(self) -> Search:
        how = self.matched_whole, self.masked, self.identifying
        return Search(self.table, self.searched, self.parents, self.children, self.has_search_index, *how)

    def values(self, asked: ListFilters, ids: list[str] | str | None) -> dict[str, Any]:
        values = {name: _bound_value(getattr(asked, name)) for name in self.filters if getattr(asked, name) is not None}
        if ids is not None:
            values["ids"] = ids
        elif asked.q is not None:
            values |= words_of(asked.q)
        return values

    def by_index(self, shape: Shape, q: str, is_sqlite: bool) -> tuple[Shape, dict[str, Any]]:
        """The same search through its index, and the values to bind for it."""
        index = self.search.index_for(q, is_sqlite)
        return replace(shape, search_index=index, limits_first=True), search_values(q, index)

    def order(self, sort: str) -> tuple[Order, bool]:
        name = sort.removeprefix("-")
        if name not in self.orders:
            names = ", ".join(self.orders)
            raise InvalidInput({"sort": f"sort must be one of {names}, with a minus before it for descending."})
        return self.orders[name], sort.startswith("-")

    def position(self, asked: ListQuery) -> dict[str, Any]:
        """The position where the previous page ended, as values to bind."""
        order, _ = self.order(asked.sort)
        if asked.cursor is None:
            return {}
        values = read_cursor(asked.cursor, asked.sort, order.keys)
        return {f"after_{place}": value for place, value in enumerate(values)}

    def conditions(self, shape: Shape) -> list[ColumnElement[bool]]:
        conditions = [self._filter_condition(name, shape) for name in shape.filters]
        if shape.is_among:
            is_one = among_numbers if isinstance(self.table.c.id.type, BigInteger) else among
            conditions.append(is_one(self.table.c.id, bindparam("ids")))
        if shape.search_index is not None:
            conditions.append(self.table.c.id.in_(self.search.select_found(shape.search_index)))
        elif shape.is_searching:
            conditions.append(self.search.is_in(self.table))
        return conditions

    def _filter_condition(self, name: str, shape: Shape) -> ColumnElement[bool]:
        condition = self.filters[name]
        if shape.is_among:
            # A few known rows, which are looked up. SQLite assumes that any filter with an index leaves fewer.
            return unindexed(condition)
        if not shape.is_wide or name not in self.narrowing:
            return condition
        first = self.order(shape.sort)[0].keys[0]
        # A filter on the first sort column uses the same index as the order.
        return condition if any(part is first for part in iterate(condition)) else unindexed(condition)

    def source(self, shape: Shape, via: Table | None = None) -> FromClause:
        """The table, joined with the parents that the search or the order needs."""
        source: FromClause = self.table
        for parent in self.parents:
            is_needed = shape.is_searching and shape.search_index is None and parent.searched
            joined = parent.foreign_key == parent.table.c.id
            if parent.table is via:
                # Rows with known ids are looked up and sorted. Starting from the parent would search for them under
                # every parent row.
                left, right = (source, parent.table) if shape.is_known else (parent.table, source)
                source = NestedLoopJoin(left, right, joined)
            elif is_needed:
                source = Join(source, parent.table, joined)
        return source

    @cached_property
    def items(self) -> Items:
        return Items(self.fields(self.table))

    @cached_property
    def with_more(self) -> dict[str | None, "Listing"]:
        """The same list with more fields, by name."""

        def wider(more: Callable[[FromClause], Fields]) -> Listing:
            return replace(self, fields=lambda rows: {**self.fields(rows), **more(rows)}, _statements={})

        return {None: self} | {name: wider(more) for name, more in self.more_fields.items()}

    @cached_property
    def has_numbers(self) -> bool:
        return self.has_unmasked_numbers or bool(number_columns(self.fields(self.table)))

    @cached_property
    def hidden(self) -> "Listing":
        """The same list for those who see only the last digits of account and mobile numbers. It is not sorted by texts
        that may hold one, nor searched for a part of them: the order and the rows that are found would reveal them."""
        numbers = number_columns(self.fields(self.table))
        orders = {name: order for name, order in self.orders.items() if not order.may_reveal}
        # References too: a transaction ID may be the number of its client with two letters behind.
        masked = frozenset(self.search.columns()) - numbers
        return replace(self, orders=orders, matched_whole=numbers, masked=masked, _statements={})

    def seen_by(self, *, hides_numbers: bool) -> "Listing":
        return self.hidden if hides_numbers else self

    def select_rows(
        self, rows: FromClause, via: Table | None = None, join: type[NestedLoopJoin] = NestedLoopJoin
    ) -> Select[Any]:
        """The columns of the JSON object, read from the table or a subquery of it."""
        source = rows
        for parent in sorted(self.parents, key=lambda parent: parent.table is not via):
            joined = rows.c[parent.foreign_key.name] == parent.table.c.id
            left, right = (parent.table, source) if parent.table is via else (source, parent.table)
            source = join(left, right, joined)
        return select(*map(selected, list_columns(self.fields(rows)))).select_from(source)

    def select_page(self, shape: Shape) -> Select[Any]:
        """The columns of `select_rows`, then the sort keys that are not among them, then the total."""
        order, is_descending = self.order(shape.sort)
        if shape.limits_first:
            if shape.reach:
                ordered = self.select_matching_near(shape)
            else:
                ordered = self._select_ordered(shape, order, is_descending)
            page = ordered.limit(number(shape.limit)).subquery("page")
            keys = [page.c[_key_name(key, place, self.table)] for place, key in enumerate(order.keys)]
            rows = self.select_rows(page, join=LookupJoin)
        else:
            keys = list(order.keys)
            # The rows after a skip are looked up by id, so the `via` table is not scanned again.
            via = None if shape.has_skip else order.via
            rows = self.select_rows(self.table, via).where(*self._page_conditions(shape, order, is_descending))
            rows = rows.limit(number(shape.limit))
        missing = [keys[place] for place, key in enumerate(order.keys) if self.items.place(key) is None]
        totals = [self.tallies.select_entries(shape).scalar_subquery()] if shape.has_total else []
        return rows.add_columns(*missing, *totals).order_by(*_sort_keys(keys, is_descending))

    def position_of(self, row: Cells, sort: str) -> list[Any]:
        """The sort keys of a row of `select_page`."""
        extra = iter(row[len(self.items.columns) :])
        places = map(self.items.place, self.order(sort)[0].keys)
        return [next(extra) if place is None else row[place] for place in places]

    def select_whole(self, shape: Shape) -> Select[Any]:
        """All rows in order."""
        order, is_descending = self.order(shape.sort)
        via = None if shape.is_known else order.via
        whole = self.select_rows(self.table, via).where(*self.conditions(shape))
        return whole.order_by(*_sort_keys(order.keys, is_descending))

    def select_matching_near(self, shape: Shape, *conditions: ColumnElement[bool]) -> Select[Any]:
        """The matches among the first `reach` rows of the list, in list order."""
        order, is_descending = self.order(shape.sort)
        every = replace(shape, is_searching=False, has_skip=False)
        first = self._select_ordered(every, order, is_descending).where(*conditions)
        near = first.limit(number(shape.reach)).subquery("near")
        source: FromClause = near
        for parent in self.parents:
            if parent.searched:
                source = NestedLoopJoin(source, parent.table, near.c[parent.foreign_key.name] == parent.table.c.id)
        keys = [near.c[_key_name(key, place, self.table)] for place, key in enumerate(order.keys)]
        matching = select(*near.c).select_from(source).where(self.search.is_in(near))
        matching = matching.order_by(*_sort_keys(keys, is_descending))
        return matching.offset(_SKIP) if shape.has_skip else matching

    def _select_ordered(self, shape: Shape, order: Order, is_descending: bool) -> Select[Any]:
        foreign = [
            key.label(_key_name(key, place, self.table))
            for place, key in enumerate(order.keys)
            if key.table is not self.table
        ]
        chosen = select(*self.table.c, *foreign).select_from(self.source(shape, order.via))
        chosen = chosen.where(*self._page_conditions(shape, order, is_descending))
        return chosen.order_by(*_sort_keys(order.keys, is_descending))

    def _page_conditions(self, shape: Shape, order: Order, is_descending: bool) -> list[ColumnElement[bool]]:
        conditions = self.conditions(shape)
        if shape.has_cursor:
            conditions += after_cursor(order, is_descending)
        if not shape.has_skip:
            return conditions
        # Skipped rows are only counted in the index; only the rows after them are looked up.
        ids = select(self.table.c.id).select_from(self.source(shape, order.via)).where(*conditions)
        ids = ids.order_by(*_sort_keys(order.keys, is_descending))
        return [self.table.c.id.in_(ids.offset(_SKIP).limit(number(shape.limit)))]


def _sort_keys(keys: Iterable[ColumnElement[Any]], is_descending: bool) -> list[ColumnElement[Any]]:
    return [key.desc() if is_descending else key for key in keys]


def _key_name(key: Column[Any], place: int, table: Table) -> str:
    """The name of a sort key in the page subquery; a parent's column could clash with a column of the table."""
    return key.name if key.table is table else f"key_{place}"


def _bound_value(value: Any) -> Any:
    return int(value * 100) if isinstance(value, Decimal) else value
