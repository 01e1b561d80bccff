"""Makes partitions of the audit log and of the history of claims, once they are large, while the desk is in use."""

from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import Connection, func, insert, select, table, text
from sqlalchemy.exc import SQLAlchemyError

from countinghouse.audit.actions import COMMAND
from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions
from countinghouse.core.db import Database, Reader, Statement
from countinghouse.core.errors import Conflict, Forbidden
from countinghouse.core.indexes import is_own
from countinghouse.core.resource import Verb
from countinghouse.core.times import now
from countinghouse.core.upgrade_connections import lock_tables, patient_connection, patient_transaction
from countinghouse.partitions.catalog import (
    BOUND,
    FIRST,
    REST,
    count_rows,
    has_rows,
    is_partitioned,
    list_involved,
    quoted,
    read_parts,
)
from countinghouse.partitions.ranges import Months, Numbers, Ruler
from countinghouse.partitions.switching import (
    add_bound,
    close_rest,
    complete_parts,
    make_partitioned,
    make_parts,
    remove_bound,
    validate,
)

ROWS = 5_000_000
# The history of a claim is where the claim is, by the month in its id: so each of the keys that refuse a second payout
# is within one partition. The audit log keeps its key too: no two rows have the same number.
RULERS: tuple[Ruler, ...] = (Numbers(audit_log.c.seq, audit_log.c.at), Months(claim_transitions.c.claim_id))

Say = Callable[[str], None]


class PartitionVerb(Verb):
    """The subject is the name of the table."""

    MADE = "partition.made", "Made partitions of a table"


def partition(database: Database, rows: int, say: Say, *, is_plan: bool = False) -> None:
    """`rows`: smaller tables are left as they are. It may be run as often as you like, and while the desk is in use."""
    for ruler in RULERS:
        _partition(database, ruler, rows, say, is_plan=is_plan)


def _partition(database: Database, ruler: Ruler, rows: int, say: Say, *, is_plan: bool) -> None:
    name, least = ruler.column.table.name, max(1, rows // 5)
    with patient_connection(database) as connection:
        if not is_own(connection, name):
            raise Forbidden("not_the_owner", f"Only the owner of {name} can do this: use the owner's database URL.")
        count = count_rows(connection, name)
        lower: str | None = None
        open_table: str | None = name
        if not is_partitioned(connection, name):
            if count < rows:
                say(f"{name}: about {count:,} rows, left as it is until there are {rows:,}.")
                return
        else:
            lower = _last_upper(connection, ruler)
            rest = f"{name}_{REST}"
            open_table = rest if has_rows(connection, rest) else None
        if is_plan:
            _say_plan(connection, ruler, open_table, lower, least, count, say)
            return
    if open_table is not None:
        made = _close(database, ruler, open_table, lower, least, say)
    else:
        made = _make_next(database, ruler, least)
    if made:
        say(f"{name}: made {', '.join(made)} for rows to come.")
    else:
        say(f"{name}: about {count:,} rows, and the partitions of the next months are there.")
    with patient_connection(database) as connection:
        # Nothing else does that for a partitioned table.
        connection.exec_driver_sql(f"ANALYZE {quoted(name)}")


def _say_plan(
    connection: Connection, ruler: Ruler, open_table: str | None, lower: str | None, least: int, count: int, say: Say
) -> None:
    name = ruler.column.table.name
    upper = ruler.cut(connection, least) if open_table is not None else str(lower)
    if open_table is not None:
        _refuse_beyond(connection, ruler, open_table, upper)
        say(f"{open_table}: would be checked, and then become the partition of {name} for rows {ruler.words(upper)}.")
    ahead = [f"{name}_{one.label}" for one in ruler.following(connection, upper, least)]
    if ahead:
        say(f"{name}: about {count:,} rows. Partitions that would be made ahead: {', '.join(ahead)}.")
    else:
        say(f"{name}: about {count:,} rows, and the partitions of the next months are there.")


def _last_upper(connection: Connection, ruler: Ruler) -> str:
    return ruler.last(
        [part.upper for part in read_parts(connection, ruler.column.table.name) if part.upper is not None]
    )


def _close(database: Database, ruler: Ruler, open_table: str, lower: str | None, least: int, say: Say) -> list[str]:
    """The table without an end gets one. Rows are added to it meanwhile, and none of them reach that end.

    Returns the names of the partitions that follow it.
    """
    name, column = ruler.column.table.name, ruler.column.name
    with patient_transaction(database) as connection:
        lock_tables(connection, quoted(open_table))
        upper = ruler.cut(connection, least)
        _refuse_beyond(connection, ruler, open_table, upper)
        add_bound(connection, open_table, column, lower, upper)
    try:
        say(f"{open_table}: checking that all rows are {ruler.words(upper)}; everybody can go on working.")
        with patient_connection(database) as connection:
            validate(connection, open_table)
        with patient_transaction(database) as connection:
            lock_tables(connection, *list_involved(connection, name))
            if lower is None:
                became = f"{name}_{FIRST}"
                make_partitioned(connection, name, column, upper)
            else:
                became = f"{name}_{ruler.label(lower)}"
                close_rest(connection, name, became, lower, upper)
            made = make_parts(connection, name, ruler.following(connection, upper, least))
            complete_parts(connection, name)
            _record(connection, name, [became, *made])
    except BaseException:
        # If this fails too, or the process is killed, the next run begins with it, and `doctor` reports it.
        with suppress(SQLAlchemyError), patient_transaction(database) as connection:
            lock_tables(connection, quoted(open_table))
            remove_bound(connection, open_table)
        raise
    say(f"{open_table}: became {became}, the partition of {name} for rows {ruler.words(upper)}.")
    return made


def _refuse_beyond(connection: Connection, ruler: Ruler, open_table: str, upper: str) -> None:
    column = ruler.column.name
    newest = connection.execute(select(func.max(text(quoted(column)))).select_from(table(open_table))).scalar()
    if newest is not None and type(newest)(upper) <= newest:
        raise Conflict(
            "ids_without_time",
            f"{open_table} has the {column} {newest}, which is not {ruler.words(upper)}. Ids begin with "
            f"the time of their creation, so its rows cannot be told apart by month. {open_table} was left as it is.",
        )


def _make_next(database: Database, ruler: Ruler, least: int) -> list[str]:
    name = ruler.column.table.name
    with patient_connection(database) as connection:
        is_due = any(ruler.following(connection, _last_upper(connection, ruler), least))
    with patient_transaction(database) as connection:
        made: list[str] = []
        if is_due:
            lock_tables(connection, *list_involved(connection, name))
            made = make_parts(connection, name, ruler.following(connection, _last_upper(connection, ruler), least))
            _record(connection, name, made)
        complete_parts(connection, name)
    return made


def _record(connection: Connection, name: str, made: list[str]) -> None:
    row = {"at": now(), "actor": COMMAND.name, "verb": str(PartitionVerb.MADE), "subject_id": name}
    connection.execute(insert(audit_log).values(row | {"after": {"partitions": made}}))


_INTERRUPTED = Statement(text("SELECT conrelid::regclass::text FROM pg_constraint WHERE conname = :bound"))
_FILLED = Statement(
    text(
        "SELECT coalesce(string_agg(relname, ', '), '') FROM pg_class JOIN pg_partitioned_table "
        "ON partdefid = pg_class.oid WHERE pg_relation_size(pg_class.oid) > 0"
    )
)


async def find_trouble(reader: Reader) -> list[str]:
    """Sentences for `doctor`. What an interrupted run has left does no harm for a month."""
    if reader.is_sqlite:
        return []
    interrupted = [row[0] for row in await reader.all(_INTERRUPTED, {"bound": BOUND})]
    filled = await reader.scalar(_FILLED)
    return [
        *(
            f"{name} is being partitioned, or that was interrupted: run countinghouse partition within a month."
            for name in interrupted
        ),
        *(
            [f"No partition was made for the newest rows, which are in {filled}: run countinghouse partition."]
            if filled
            else []
        ),
    ]
