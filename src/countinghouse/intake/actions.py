"""One call of the intake: its rows are stored, together with its answer, in one transaction."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import msgspec

from countinghouse.audit.actions import Actor
from countinghouse.core.db import AlreadyThere, Database, DeadlockDetected, Reader, Transaction
from countinghouse.core.errors import Busy
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.numbers import with_letter
from countinghouse.intake.answers import Call, find_answer, store_answer
from countinghouse.intake.nouns import Noun
from countinghouse.intake.rows import IntakeRow, Invalid, read_rows, validated
from countinghouse.intake.storing import Result, store_rows

# How many calls each process works on at once: a flood of them must leave most of the database to the admins.
CALLS_AT_ONCE = 2
MOST_CALLS_WAITING = 100
# How often a call starts again when another call stores the same rows at the same moment.
_TRIES = 5


def checked_rows(noun: Noun, body: bytes) -> list[IntakeRow | Invalid]:
    """Run it on a thread: a thousand rows take longer than other requests should wait."""
    return [validated(noun.row, row) for row in read_rows(body)]


async def take_in(
    database: Database, actor: Actor, noun: Noun, call: Call, rows: Sequence[IntakeRow | Invalid]
) -> bytes:
    """The JSON of the answer. A retry of the same call changes nothing and gets the same answer."""
    for _ in range(_TRIES):
        try:
            return await database.write(partial(_store, actor=actor, noun=noun, call=call, rows=rows))
        except (AlreadyThere, DeadlockDetected):
            # Another call was faster. What it has stored is there now, so that this one finds it.
            continue
    raise Busy()


async def _store(
    transaction: Transaction, actor: Actor, noun: Noun, call: Call, rows: Sequence[IntakeRow | Invalid]
) -> bytes:
    answered = await find_answer(transaction, call)
    if answered is not None:
        return answered
    results = await store_rows(transaction, actor, noun, rows)
    numbers = await _read_numbers(transaction, noun, results)
    shown = [_shown(index, result, numbers) for index, result in enumerate(results)]
    answer = msgspec.json.encode({"results": shown})
    await store_answer(transaction, call, answer)
    return answer


async def _read_numbers(reader: Reader, noun: Noun, results: Iterable[Result]) -> dict[str | None, str]:
    """By id."""
    ids = sorted({result.row_id for result in results if result.row_id is not None})
    if noun.numbers is None or not ids:
        return {}
    found = await reader.all(noun.numbers, {"ids": bound_ids(ids, reader.is_sqlite)})
    return {row_id: with_letter(noun.table, number) for row_id, number in found}


def _shown(index: int, result: Result, numbers: Mapping[str | None, str]) -> dict[str, object]:
    shown: dict[str, object] = {
        "index": index,
        "outcome": result.outcome,
        "_id": result.row_id,
        "externalId": result.external_id,
    }
    if result.row_id in numbers:
        shown["number"] = numbers[result.row_id]
    return shown | {"fields": result.fields} if result.fields else shown
