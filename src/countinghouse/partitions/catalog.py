"""What PostgreSQL's catalog says about a table: its keys, indexes, triggers, views, rights and partitions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, text

# The check that says, before a table becomes a partition, that its rows belong there. PostgreSQL then need not read
# them all while everybody waits.
BOUND = "partition_bound"
FIRST, REST = "first", "rest"


class Key(NamedTuple):
    name: str
    definition: str
    columns: list[str]


class Named(NamedTuple):
    """A definition is a statement that makes the same thing on the table of the same name; of a constraint or a view,
    the part after the name."""

    name: str
    definition: str


class Trigger(NamedTuple):
    name: str
    definition: str
    is_for_rows: bool


class View(NamedTuple):
    name: str
    definition: str
    options: str


class Numbering(NamedTuple):
    """An identity column."""

    column: str
    is_always: bool
    sequence: str


class Right(NamedTuple):
    grantee: str
    privilege: str
    may_grant: bool


class Part(NamedTuple):
    name: str
    # The end of its range; None for the partition of all other rows.
    upper: str | None


@dataclass(frozen=True)
class Shape:
    owner: str
    keys: Sequence[Key]
    constraints: Sequence[Named]
    indexes: Sequence[Named]
    triggers: Sequence[Trigger]
    views: Sequence[View]
    numbering: Sequence[Numbering]
    rights: Sequence[Right]
    referenced_by: Sequence[str]


# Names are given with quotes.
_OWNER = text("SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = to_regclass(:name)")
_KEYS = text(
    "SELECT conname, pg_get_constraintdef(oid), ARRAY(SELECT attname::text FROM pg_attribute "
    "WHERE attrelid = conrelid AND attnum = ANY (conkey)) FROM pg_constraint "
    "WHERE conrelid = to_regclass(:name) AND conparentid = 0 AND contype IN ('p', 'u') ORDER BY conname"
)
_CONSTRAINTS = text(
    "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = to_regclass(:name) "
    "AND conparentid = 0 AND contype IN ('f', 'c') AND conname <> :bound ORDER BY conname"
)
_INDEXES = text(
    "SELECT relname, pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
    "WHERE indrelid = to_regclass(:name) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid "
    "AND contype IN ('p', 'u', 'x')) ORDER BY relname"
)
_TRIGGERS = text(
    "SELECT tgname, pg_get_triggerdef(oid), tgtype & 1 = 1 FROM pg_trigger "
    "WHERE tgrelid = to_regclass(:name) AND NOT tgisinternal AND tgparentid = 0 ORDER BY tgname"
)
_VIEWS = text(
    "SELECT DISTINCT quote_ident(nspname) || '.' || quote_ident(relname), pg_get_viewdef(pg_class.oid), "
    "coalesce(array_to_string(reloptions, ', '), '') FROM pg_depend JOIN pg_rewrite ON pg_rewrite.oid = objid "
    "JOIN pg_class ON pg_class.oid = ev_class JOIN pg_namespace ON pg_namespace.oid = relnamespace "
    "WHERE classid = 'pg_rewrite'::regclass AND refobjid = to_regclass(:name) AND relkind = 'v' ORDER BY 1"
)
_NUMBERING = text(
    "SELECT attname, attidentity = 'a', pg_get_serial_sequence(attrelid::regclass::text, attname) "
    "FROM pg_attribute WHERE attrelid = to_regclass(:name) AND attidentity <> ''"
)
_RIGHTS = text(
    "SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END, privilege_type, "
    "is_grantable FROM pg_class, aclexplode(relacl) WHERE pg_class.oid = to_regclass(:name) AND grantee <> relowner"
)
_REFERENCED_BY = text(
    "SELECT conrelid::regclass::text FROM pg_constraint WHERE confrelid = to_regclass(:name) AND contype = 'f' "
    "UNION SELECT oid::regclass::text FROM pg_class WHERE relkind = 'm' AND oid IN (SELECT ev_class FROM pg_rewrite "
    "JOIN pg_depend ON objid = pg_rewrite.oid AND classid = 'pg_rewrite'::regclass WHERE refobjid = to_regclass(:name))"
)
_REFERRED = text(
    "SELECT DISTINCT confrelid::regclass::text FROM pg_constraint WHERE conrelid = to_regclass(:name) "
    "AND contype = 'f' ORDER BY 1"
)
_PARTS = text(
    "SELECT relname, pg_get_expr(relpartbound, pg_class.oid) FROM pg_inherits JOIN pg_class "
    "ON pg_class.oid = inhrelid WHERE inhparent = to_regclass(:name) ORDER BY relname"
)
_IS_PARTITIONED = text("SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass(:name)")
# What vacuum has counted last; -1 if it never has.
_COUNTED = text(
    "SELECT coalesce(sum(greatest(reltuples, 0)), 0)::bigint, coalesce(bool_or(reltuples < 0), false) FROM pg_class "
    "WHERE relkind = 'r' AND (oid = to_regclass(:name) "
    "OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass(:name)))"
)
_BOUND = text(
    "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = to_regclass(:name) AND conname = :bound "
    "AND convalidated"
)
_UPPER = re.compile(r" TO \('(.*)'\)$")


def read_shape(connection: Connection, table: str) -> Shape:
    name = {"name": quoted(table)}
    return Shape(
        owner=str(connection.execute(_OWNER, name).scalar_one()),
        keys=[Key(*row) for row in connection.execute(_KEYS, name)],
        constraints=[Named(*row) for row in connection.execute(_CONSTRAINTS, name | {"bound": BOUND})],
        indexes=[Named(*row) for row in connection.execute(_INDEXES, name)],
        triggers=[Trigger(*row) for row in connection.execute(_TRIGGERS, name)],
        views=[View(*row) for row in connection.execute(_VIEWS, name)],
        numbering=[Numbering(*row) for row in connection.execute(_NUMBERING, name)],
        rights=read_rights(connection, quoted(table)),
        referenced_by=list(connection.execute(_REFERENCED_BY, name).scalars()),
    )


def list_involved(connection: Connection, table: str) -> list[str]:
    """What is locked when the table is changed, in the order in which requests lock it."""
    name = {"name": quoted(table)}
    referred = connection.execute(_REFERRED, name).scalars()
    return [*referred, quoted(table), *(view.name for view in map(View._make, connection.execute(_VIEWS, name)))]


def read_rights(connection: Connection, relation: str) -> list[Right]:
    """Of others than the owner."""
    return [Right(*row) for row in connection.execute(_RIGHTS, {"name": relation})]


def read_parts(connection: Connection, table: str) -> list[Part]:
    found = connection.execute(_PARTS, {"name": quoted(table)}).all()
    return [Part(name, upper[1] if (upper := _UPPER.search(bound)) else None) for name, bound in found]


def is_partitioned(connection: Connection, table: str) -> bool:
    return bool(connection.execute(_IS_PARTITIONED, {"name": quoted(table)}).scalar())


def count_rows(connection: Connection, table: str) -> int:
    """About."""
    counted, is_unknown = connection.execute(_COUNTED, {"name": quoted(table)}).one()
    if is_unknown and not counted:
        counted = connection.execute(text(f"SELECT count(*) FROM {quoted(table)}")).scalar_one()  # noqa: S608 - our own
    return int(counted)


def has_rows(connection: Connection, table: str) -> bool:
    return bool(connection.execute(text(f"SELECT EXISTS (SELECT FROM {quoted(table)})")).scalar_one())  # noqa: S608


def find_valid_bound(connection: Connection, table: str) -> str | None:
    return connection.execute(_BOUND, {"name": quoted(table), "bound": BOUND}).scalar()


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
