"""Turns a table that is in use into partitions, in steps that each hold its lock for a moment.

All steps but `validate` need the lock of the table.
"""

import re
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, text

from countinghouse.core.errors import Conflict
from countinghouse.partitions.catalog import (
    BOUND,
    FIRST,
    REST,
    Numbering,
    Right,
    Shape,
    Trigger,
    find_valid_bound,
    has_rows,
    quoted,
    read_parts,
    read_rights,
    read_shape,
)
from countinghouse.partitions.ranges import Range

_LONGEST_NAME = 63
_FULL_NAME = re.compile(r" ON (\S+) ")


def _run(connection: Connection, sql: str) -> None:
    # The driver takes a single percent sign for a place of a value.
    connection.exec_driver_sql(sql.replace("%", "%%"))


def _literal(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def add_bound(connection: Connection, table: str, column: str, lower: str | None, upper: str) -> None:
    """For new rows at once, and instead of one that an interrupted run has left. `validate` checks the others."""
    name, bound = quoted(table), f"{quoted(column)} < {_literal(upper)}"
    if lower is not None:
        bound = f"{quoted(column)} >= {_literal(lower)} AND {bound}"
    remove_bound(connection, table)
    _run(connection, f"ALTER TABLE {name} ADD CONSTRAINT {BOUND} CHECK ({bound}) NOT VALID")


def remove_bound(connection: Connection, table: str) -> None:
    _run(connection, f"ALTER TABLE {quoted(table)} DROP CONSTRAINT IF EXISTS {BOUND}")


def validate(connection: Connection, table: str) -> None:
    """Reads the whole table, beside all readers and writers."""
    _run(connection, f"ALTER TABLE {quoted(table)} VALIDATE CONSTRAINT {BOUND}")


def make_partitioned(connection: Connection, table: str, column: str, upper: str) -> None:
    """A partitioned table takes the name, and everything else that the table had. The table becomes its first part."""
    _refuse_without_bound(connection, table, upper)
    shape = read_shape(connection, table)
    if shape.referenced_by:
        raise Conflict("table_is_referenced", f"{', '.join(shape.referenced_by)} refers to {table}: remove that first.")
    first = f"{table}_{FIRST}"
    # Also the names of indexes, which migrations know.
    for key in shape.keys:
        _run(connection, f"ALTER TABLE {quoted(table)} RENAME CONSTRAINT {quoted(key.name)} TO {_for_first(key.name)}")
    for index in shape.indexes:
        _run(connection, f"ALTER INDEX {quoted(index.name)} RENAME TO {_for_first(index.name)}")
    _run(connection, f"ALTER TABLE {quoted(table)} RENAME TO {quoted(first)}")
    for trigger in shape.triggers:
        if trigger.is_for_rows:
            # The partitioned table gives them to all its partitions.
            _run(connection, f"DROP TRIGGER {quoted(trigger.name)} ON {quoted(first)}")
    _run(
        connection,
        f"CREATE TABLE {quoted(table)} (LIKE {quoted(first)} INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE) "
        f"PARTITION BY RANGE ({quoted(column)})",
    )
    _run(connection, f"ALTER TABLE {quoted(table)} OWNER TO {quoted(shape.owner)}")
    for key in shape.keys:
        # A key without the column holds within each partition only, see `_make_part`.
        if column in key.columns:
            _run(connection, f"ALTER TABLE {quoted(table)} ADD CONSTRAINT {quoted(key.name)} {key.definition}")
    for constraint in shape.constraints:
        _run(
            connection, f"ALTER TABLE {quoted(table)} ADD CONSTRAINT {quoted(constraint.name)} {constraint.definition}"
        )
    for index in shape.indexes:
        _run(connection, index.definition)
    for numbering in shape.numbering:
        _move_numbering(connection, numbering, first, table)
    _attach(connection, table, first, "MINVALUE", _literal(upper))
    _make_part(connection, table, f"{table}_{REST}", "DEFAULT")
    for trigger in shape.triggers:
        _run(connection, trigger.definition)
    for view in shape.views:
        options = f"WITH ({view.options}) " if view.options else ""
        _run(connection, f"CREATE OR REPLACE VIEW {view.name} {options}AS {view.definition}")
    give_rights(connection, quoted(table), shape.rights)


def close_rest(connection: Connection, table: str, name: str, lower: str, upper: str) -> None:
    """The partition of all other rows becomes one with a range, and a new one takes its place."""
    rest = f"{table}_{REST}"
    _refuse_without_bound(connection, rest, upper)
    _run(connection, f"ALTER TABLE {quoted(table)} DETACH PARTITION {quoted(rest)}")
    _run(connection, f"ALTER TABLE {quoted(rest)} RENAME TO {quoted(name)}")
    _attach(connection, table, name, _literal(lower), _literal(upper))
    _make_part(connection, table, rest, "DEFAULT")


def make_parts(connection: Connection, table: str, ranges: Iterable[Range]) -> list[str]:
    """Returns their names."""
    made: list[str] = []
    rest = f"{table}_{REST}"
    for one in ranges:
        if not made and has_rows(connection, rest):
            raise Conflict("partition_is_in_use", f"Rows have just been added to {rest}: run the command again.")
        name = f"{table}_{one.label}"
        _make_part(connection, table, name, f"FOR VALUES FROM ({_literal(one.lower)}) TO ({_literal(one.upper)})")
        made.append(name)
    return made


def complete_parts(connection: Connection, table: str) -> None:
    """Gives each partition the triggers of the whole statement, and others only the right to read it.

    They are reached through the partitioned table; only the owner and pg_dump name a partition.
    """
    shape = read_shape(connection, table)
    rights = [right for right in shape.rights if right.privilege == "SELECT"]
    for part in read_parts(connection, table):
        _copy_triggers(connection, shape, part.name)
        give_rights(connection, quoted(part.name), rights)


def give_rights(connection: Connection, relation: str, rights: Sequence[Right], kind: str = "TABLE") -> None:
    """Exactly these: default privileges may have given others to a new table."""
    found = read_rights(connection, relation)
    if set(found) == set(rights):
        return
    for grantee in {right.grantee for right in found}:
        _run(connection, f"REVOKE ALL ON {kind} {relation} FROM {grantee}")
    for right in rights:
        option = " WITH GRANT OPTION" if right.may_grant else ""
        _run(connection, f"GRANT {right.privilege} ON {kind} {relation} TO {right.grantee}{option}")


def _refuse_without_bound(connection: Connection, table: str, upper: str) -> None:
    if upper not in (find_valid_bound(connection, table) or ""):
        raise Conflict("partitioned_elsewhere", f"Another process works on {table} at the same time. Try again later.")


def _attach(connection: Connection, table: str, part: str, lower: str, upper: str) -> None:
    _run(
        connection,
        f"ALTER TABLE {quoted(table)} ATTACH PARTITION {quoted(part)} FOR VALUES FROM ({lower}) TO ({upper})",
    )
    # The range says it from now on.
    remove_bound(connection, part)


def _move_numbering(connection: Connection, numbering: Numbering, source: str, target: str) -> None:
    """An identity column cannot be given away, so another one goes on where it was."""
    column, kind = quoted(numbering.column), "ALWAYS" if numbering.is_always else "BY DEFAULT"
    rights = read_rights(connection, numbering.sequence)
    last, is_called = connection.exec_driver_sql(
        f"SELECT last_value, is_called FROM {numbering.sequence}"  # noqa: S608 - its name is from the catalog
    ).one()
    _run(connection, f"ALTER TABLE {quoted(source)} ALTER {column} DROP IDENTITY")
    _run(
        connection,
        f"ALTER TABLE {quoted(target)} ALTER {column} "
        f"ADD GENERATED {kind} AS IDENTITY (SEQUENCE NAME {numbering.sequence})",
    )
    connection.execute(
        text("SELECT setval(CAST(:sequence AS regclass), :last, :is_called)"),
        {"sequence": numbering.sequence, "last": last, "is_called": is_called},
    )
    give_rights(connection, numbering.sequence, rights, "SEQUENCE")


def _make_part(connection: Connection, table: str, name: str, bounds: str) -> None:
    parent, first = read_shape(connection, table), read_shape(connection, f"{table}_{FIRST}")
    _run(connection, f"CREATE TABLE {quoted(name)} PARTITION OF {quoted(table)} {bounds}")
    _run(connection, f"ALTER TABLE {quoted(name)} OWNER TO {quoted(parent.owner)}")
    for key in first.keys:
        _run(connection, f"ALTER TABLE {quoted(name)} ADD {key.definition}")


def _copy_triggers(connection: Connection, parent: Shape, part: str) -> None:
    """Those for whole statements fire only for the table that a statement names."""
    known = {trigger.name for trigger in read_shape(connection, part).triggers}
    for trigger in parent.triggers:
        if not trigger.is_for_rows and trigger.name not in known:
            _run(connection, _on(trigger, part))


def _on(trigger: Trigger, part: str) -> str:
    return _FULL_NAME.sub(lambda _: f" ON {quoted(part)} ", trigger.definition, count=1)


def _for_first(name: str) -> str:
    return quoted(f"{name[: _LONGEST_NAME - len(FIRST) - 1]}_{FIRST}")
