"""Reading the audit log."""

import json
from typing import Annotated, Any

import msgspec
from pydantic import AfterValidator, BeforeValidator, Field
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    CompoundSelect,
    FromClause,
    ScalarSelect,
    String,
    Table,
    bindparam,
    cast,
    func,
    select,
    text,
    union_all,
)
from sqlalchemy.sql.functions import FunctionElement
from typing_extensions import TypedDict

from countinghouse.audit.sealing import read_head, read_tail
from countinghouse.audit.tables import audit_entries
from countinghouse.claims.tables import claims
from countinghouse.core.db import Reader, Statement
from countinghouse.core.examples import Example, described
from countinghouse.core.inputs import PlainText
from countinghouse.core.listing import Exactly, Filter, ListFilters, Listing, ListQuery, Order, Tallies
from countinghouse.core.listing.items import Converted, Fields
from countinghouse.core.listing.pages import read_page
from countinghouse.core.listing.sql import among_found, compile_on_both, number, written
from countinghouse.core.masking import Plain
from countinghouse.core.numbers import letter_of
from countinghouse.core.resource import Verb, label_of
from countinghouse.core.times import iso
from countinghouse.purchases.tables import purchases
from countinghouse.qr.tables import qr_codes
from countinghouse.users.tables import users

LONGEST_NAME = 200
MOST_COUNTED = 10_000
# Rows of an admin's own account.
MOST_RECENT = 20


@described
class AuditEntry(TypedDict):
    _id: Annotated[Plain, Example("10482")]
    createdAt: Annotated[str, Example("2026-11-15T02:52:36.120Z")]
    actor: Annotated[str, Example("asha")]
    address: Annotated[str | None, Example("203.0.113.9")]
    verb: Annotated[str, Example("claim.moved")]
    # The words for the verb.
    label: Annotated[str, Example("Moved a claim")]
    subjectId: Annotated[str, Example("6917e2f4a1b2c3d4e5000003")]
    number: Annotated[Plain | None, Example("C-10482")]
    before: Annotated[dict[str, Any] | None, Example({"status": "Pending", "version": 0})]
    after: Annotated[dict[str, Any] | None, Example({"status": "Accepted", "version": 1})]


def _details(cell: Any) -> Any:
    # SQLite's driver returns JSON as text.
    return json.loads(cell) if isinstance(cell, str) else cell


def record_number(entry: FromClause) -> ColumnElement[str]:
    """The number by which people name the record, such as C-10482. NULL for a record without one."""

    def of(table: Table) -> ScalarSelect[str]:
        shown = written(f"{letter_of(table)}-") + cast(table.c.number, String)
        return select(shown).where(table.c.id == entry.c.subject_id).scalar_subquery()

    return func.coalesce(of(claims), of(purchases), of(qr_codes)).label("record_number")


def _fields(entry: FromClause) -> Fields:
    return {
        "_id": Converted(entry.c.id, str),
        "createdAt": entry.c.created_at,
        "actor": entry.c.actor,
        "address": entry.c.address,
        "verb": entry.c.verb,
        "label": Converted(entry.c.verb, label_of),
        "subjectId": entry.c.subject_id,
        "number": Converted(record_number(entry), str),
        "before": Converted(entry.c.before, _details),
        "after": Converted(entry.c.after, _details),
    }


class one_of(FunctionElement[bool]):  # noqa: N801 - reads as the SQL function it is
    """one_of(column, words): the words are one value, separated by commas, so that one statement serves all nouns."""

    inherit_cache = True


compile_on_both(
    one_of,
    "{0} = ANY(string_to_array({1}, ','))",
    """{0} IN (SELECT value FROM json_each('["' || replace({1}, ',', '","') || '"]'))""",
)


class number_in(FunctionElement[int]):  # noqa: N801
    """number_in(text, letter): 10482 for C-10482; NULL for a text that is no number with this letter."""

    inherit_cache = True
    type = BigInteger()


compile_on_both(
    number_in,
    "CASE WHEN {0} ~* ('^' || {1} || '-[0-9]{{1,15}}$') THEN CAST(substr({0}, 3) AS bigint) END",
    "CASE WHEN upper({0}) GLOB {1} || '-[0-9]*' AND length({0}) <= 17 AND NOT substr({0}, 3) GLOB '*[^0-9]*' "
    "THEN CAST(substr({0}, 3) AS INTEGER) END",
)


def verbs_of(noun: str) -> str:
    """Every verb of the noun, separated by commas: the log has an index of its verbs, and none of its nouns."""
    verbs = [str(verb) for room in Verb.__subclasses__() for verb in room if str(verb).startswith(f"{noun}.")]
    if not verbs:
        nouns = sorted({str(verb).partition(".")[0] for room in Verb.__subclasses__() for verb in room})
        raise ValueError(f"must be one of {', '.join(nouns)}.")
    return ",".join(verbs)


def _refuse_search(value: object) -> object:
    if value is not None:
        raise ValueError("cannot be used here: the audit log has no search. Use its filters.")
    return value


_entries = audit_entries.c


def _subjects() -> CompoundSelect[Any]:
    subject = bindparam("subject", type_=String)
    return union_all(
        select(subject),
        *(select(table.c.id).where(table.c.external_id == subject) for table in (claims, purchases, users)),
        *(select(table.c.id).where(table.c.user_id == subject) for table in (claims, purchases)),
        *(
            select(table.c.id).where(table.c.number == number_in(subject, written(letter_of(table))))
            for table in (claims, purchases, qr_codes)
        ),
    )


class AuditFilters(ListFilters):
    q: Annotated[str | None, BeforeValidator(_refuse_search), Field(description="Refused: use the filters.")] = None
    actor: Annotated[
        PlainText | None,
        Field(min_length=1, max_length=LONGEST_NAME, description="Only what this admin, key or command did."),
        Filter(lambda _: _entries.actor == bindparam("actor")),
    ] = None
    verb: Annotated[
        PlainText | None,
        Field(min_length=1, max_length=40, description="Only this verb, like claim.moved."),
        Filter(lambda _: _entries.verb == bindparam("verb")),
    ] = None
    noun: Annotated[
        PlainText | None,
        Field(min_length=1, max_length=40, description="Only what was done to this noun, like claim."),
        AfterValidator(lambda noun: None if noun is None else verbs_of(noun)),
        Filter(lambda _: one_of(_entries.verb, bindparam("noun")), narrows=True, beside=("actor",)),
    ] = None
    subject: Annotated[
        PlainText | None,
        Field(
            min_length=1,
            max_length=LONGEST_NAME,
            description="Only what was done to the record of this id, of this id of the service, or of this number, "
            "such as C-10482. Of a client, also what was done to their purchases and claims.",
        ),
        Filter(lambda _: among_found(_entries.subject_id, _subjects().scalar_subquery()), narrows=True),
    ] = None


class AuditQuery(AuditFilters, ListQuery):
    pass


class AuditTotalsQuery(AuditFilters, Exactly):
    pass


AUDIT = Listing(
    audit_entries,
    # Counted up to a limit only: see `Tallies`.
    Tallies(),
    _fields,
    orders={"createdAt": Order((_entries.created_at, _entries.id))},
    query=AuditFilters,
    has_search_index=False,
    has_filter_indexes=True,
    # Of corrections, for example.
    has_unmasked_numbers=True,
)


async def read_activity(reader: Reader, actor: str) -> list[AuditEntry]:
    """What somebody did last, newest first."""
    page = await read_page(AUDIT, reader, AuditQuery(actor=actor, limit=MOST_RECENT))
    return msgspec.json.decode(page.body, type=list[AuditEntry])


@described
class AuditTotals(TypedDict):
    count: Annotated[int, Example(2)]
    isExact: Annotated[bool, Example(True)]


async def count_entries(reader: Reader, asked: AuditTotalsQuery) -> AuditTotals:
    """Up to a limit, unless an exact count is asked for: the log has no tallies, and may have millions of rows."""
    shape, values = AUDIT.shape(asked, None), AUDIT.values(asked, None)
    found = select(_entries.id).where(*AUDIT.conditions(shape))
    if not asked.exact:
        found = found.limit(number(MOST_COUNTED + 1))
    count = int(await reader.scalar(select(func.count()).select_from(found.subquery()), values))
    return {
        "count": min(count, MOST_COUNTED) if not asked.exact else count,
        "isExact": asked.exact or count <= MOST_COUNTED,
    }


@described
class AuditChoices(TypedDict):
    actor: Annotated[list[str], Example(["asha", "command"])]
    noun: Annotated[list[str], Example(["claim", "qr"])]
    verb: Annotated[list[str], Example(["claim.moved", "qr.uploaded"])]
    # The words for each verb.
    labels: Annotated[dict[str, str], Example({"claim.moved": "Moved a claim", "qr.uploaded": "Uploaded a QR code"})]


# Steps from one name to the next through the index: its cost depends on the number of names, not of rows.
_ACTORS = Statement(
    text(
        "WITH RECURSIVE named (actor) AS (SELECT min(actor) FROM audit_log UNION ALL "
        "SELECT (SELECT min(actor) FROM audit_log WHERE audit_log.actor > named.actor) FROM named "
        "WHERE named.actor IS NOT NULL) SELECT actor FROM named WHERE actor IS NOT NULL LIMIT 500"
    )
)


async def read_choices(reader: Reader) -> AuditChoices:
    labels = {str(verb): verb.label for room in Verb.__subclasses__() for verb in room}
    verbs = sorted(labels)
    nouns = sorted({verb.partition(".")[0] for verb in verbs})
    return {"actor": await reader.scalars(_ACTORS), "noun": nouns, "verb": verbs, "labels": labels}


@described
class Sealing(TypedDict):
    """`unsealed` rows wait for their seal; it counts at most 10,000."""

    sealed: Annotated[int, Example(10482)]
    head: Annotated[str, Example("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    unsealed: Annotated[int, Example(0)]
    oldestUnsealedAt: Annotated[str | None, Example(None)]


async def read_sealing(reader: Reader) -> Sealing:
    head = await read_head(reader)
    tail = await read_tail(reader)
    return {
        "sealed": head.length,
        "head": head.seal,
        "unsealed": tail.rows,
        "oldestUnsealedAt": iso(tail.oldest_at) if tail.oldest_at else None,
    }
