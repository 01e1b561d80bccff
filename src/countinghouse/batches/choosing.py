"""Which claims are in a batch: named one by one, all that a list matches, or those of an earlier batch."""

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field
from sqlalchemy import (
    JSON,
    BindParameter,
    ColumnElement,
    Integer,
    Select,
    String,
    bindparam,
    cast,
    func,
    insert,
    literal,
    not_,
    select,
)

from countinghouse.batches.queries import DONE, UNDONE, VERSION_AFTER
from countinghouse.batches.tables import batch_rows
from countinghouse.claims.queries import CLAIMS, ClaimQuery
from countinghouse.claims.tables import claims
from countinghouse.core.db import Transaction
from countinghouse.core.errors import InvalidInput
from countinghouse.core.examples import body_examples
from countinghouse.core.inputs import MOST_FIELDS, Body, PlainText, at_most
from countinghouse.core.listing.finding import bound_ids, find_ids_if_few
from countinghouse.core.listing.sql import among, number, written
from countinghouse.core.listing.whole import read_whole_query

MOST_CLAIMS = 10_000
# Longer lists are refused before their parts are validated.
MOST_LISTED = 2 * MOST_CLAIMS

# Targets to which many claims can be moved together. All other moves are decided claim by claim.
BatchTarget = Literal["Accepted", "Paid", "On hold", "Rejected"]
ClaimId = Annotated[str, Field(pattern=r"^[0-9a-f]{24}$")]


class ChosenClaim(Body):
    model_config = body_examples({"_id": "6917e2f4a1b2c3d4e5000003", "version": 1})

    id: Annotated[ClaimId, Field(alias="_id")]
    version: Annotated[int, Field(ge=0, lt=2**31, description="The version that the admin saw.")]


class BatchRequest(Body):
    """Exactly one of `claims`, `query`, `retryOf` and `undoOf` selects the claims."""

    model_config = body_examples(
        {"status": "Accepted", "claims": [{"_id": "6917e2f4a1b2c3d4e5000003", "version": 1}]},
        {"status": "Rejected", "reason": "Asked for twice.", "query": {"q": "004512345678"}, "except": []},
        {"retryOf": "6917e2f4a1b2c3d4e5000007"},
        {"undoOf": "6917e2f4a1b2c3d4e5000007"},
    )

    status: Annotated[BatchTarget | None, Field(description="Optional with retryOf; not with undoOf.")] = None
    reason: Annotated[PlainText | None, Field(min_length=1, max_length=500)] = None
    claims: Annotated[list[ChosenClaim] | None, Field(fail_fast=True), at_most(MOST_LISTED)] = None
    query: Annotated[
        dict[str, str] | None, Field(description="The list's filters, as in its URL."), at_most(MOST_FIELDS)
    ] = None
    except_: Annotated[
        list[ClaimId],
        Field(alias="except", fail_fast=True, description="Claims to leave out of all that match."),
        at_most(MOST_LISTED),
    ] = Field(default=[])
    retry_of: Annotated[
        str | None, Field(alias="retryOf", description="Selects the claims that did not move in this batch.")
    ] = None
    undo_of: Annotated[
        str | None,
        Field(alias="undoOf", description="Moves the claims that this batch accepted, and nobody moved since, back."),
    ] = None

    def chosen_by(self) -> str:
        """The only field that selects the claims."""
        fields = {"claims": self.claims, "query": self.query, "retryOf": self.retry_of, "undoOf": self.undo_of}
        sent = [name for name, value in fields.items() if value is not None]
        if len(sent) != 1:
            raise InvalidInput({"claims": "Select the claims with exactly one of claims, query, retryOf or undoOf."})
        return sent[0]


async def choose_rows(transaction: Transaction, batch_id: str, request: BatchRequest) -> None:
    """Stores the chosen claims with the batch, ordered by id: everything that locks several claims uses this order."""
    if request.claims is not None:
        await _choose_claims(transaction, batch_id, request.claims)
    elif request.query is not None:
        await _choose_matching(transaction, batch_id, request.query, request.except_)
    elif request.retry_of is not None:
        await _choose_of_batch(transaction, batch_id, request.retry_of, UNDONE, claims.c.version)
    elif request.undo_of is not None:
        await _choose_of_batch(transaction, batch_id, request.undo_of, [DONE], VERSION_AFTER)


def refuse_sizes(name: str, count: int) -> None:
    if count > MOST_CLAIMS:
        raise InvalidInput({name: f"Too many claims. Narrow to {MOST_CLAIMS:,} or fewer."})
    if count == 0:
        raise InvalidInput({name: "No claim is selected. Choose at least one."})


async def _choose_claims(transaction: Transaction, batch_id: str, chosen: Sequence[ChosenClaim]) -> None:
    refuse_sizes("claims", len(chosen))
    versions = {claim.id: claim.version for claim in chosen}
    if len(versions) != len(chosen):
        raise InvalidInput({"claims": "claims contains the same claim twice."})
    found = await _store(transaction, batch_id, _NAMED[transaction.is_sqlite], {"versions": json.dumps(versions)})
    if missing := len(chosen) - found:
        raise InvalidInput({"claims": f"{missing} of these claims cannot be found. Reload the list."})


def _select_named(*, is_sqlite: bool) -> Select[Any]:
    """Claims by a JSON object that maps their ids to versions: one value, because binding thousands takes long."""
    versions: BindParameter[str] = bindparam("versions", type_=String)
    pairs = func.json_each(versions) if is_sqlite else func.json_each_text(cast(versions, JSON))
    named = pairs.table_valued("key", "value", name="named")
    return select(claims.c.id, cast(named.c.value, Integer).label("version"), claims.c.amount_paise).join_from(
        named, claims, claims.c.id == named.c.key
    )


_NAMED = {is_sqlite: _select_named(is_sqlite=is_sqlite) for is_sqlite in (False, True)}


async def _choose_matching(
    transaction: Transaction, batch_id: str, sent: dict[str, str], but_not: Sequence[str]
) -> None:
    # A sort order is accepted and ignored.
    query = read_whole_query(CLAIMS, ClaimQuery, sent, "a batch is all claims that match.", within="query.")
    ids = await find_ids_if_few(CLAIMS, transaction, query)
    shape = CLAIMS.shape(query, ids)
    values = CLAIMS.values(query, bound_ids(ids, transaction.is_sqlite))
    if query.q is not None and shape.is_searching:
        shape, more = CLAIMS.by_index(shape, query.q, transaction.is_sqlite)
        values |= more
    matching = select(claims.c.id, claims.c.version, claims.c.amount_paise).select_from(CLAIMS.source(shape))
    matching = matching.where(*CLAIMS.conditions(shape))
    if but_not:
        matching = matching.where(not_(among(claims.c.id, bindparam("but_not"))))
        values["but_not"] = bound_ids(list(but_not), transaction.is_sqlite)
    # Unordered: it does not matter which claim is one too many, and PostgreSQL need not walk the table for an order.
    await _store(transaction, batch_id, matching.limit(number(MOST_CLAIMS + 1)), values)


async def _choose_of_batch(
    transaction: Transaction, batch_id: str, earlier_id: str, outcomes: Sequence[str], version: ColumnElement[int]
) -> None:
    chosen = (
        select(claims.c.id, version.label("version"), claims.c.amount_paise)
        .join_from(batch_rows, claims, batch_rows.c.claim_id == claims.c.id)
        .where(
            batch_rows.c.batch_id == bindparam("earlier_id"),
            batch_rows.c.outcome.in_([written(outcome) for outcome in outcomes]),
        )
    )
    await _store(transaction, batch_id, chosen, {"earlier_id": earlier_id})


async def _store(transaction: Transaction, batch_id: str, chosen: Select[Any], values: dict[str, Any]) -> int:
    """Returns the number of stored claims."""
    row = chosen.subquery("chosen").c
    place = func.row_number().over(order_by=row.id)
    placed = select(literal(batch_id), place, row.id, row.version, row.amount_paise)
    columns = ["batch_id", "place", "claim_id", "version", "amount_paise"]
    return await transaction.execute(insert(batch_rows).inline().from_select(columns, placed), values)
