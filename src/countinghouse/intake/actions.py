"""One call of the intake: its rows are stored, together with its answer, in one transaction."""

from collections.abc import Sequence
from functools import partial

import msgspec

from countinghouse.audit.actions import Actor
from countinghouse.core.db import AlreadyThere, Database, DeadlockDetected, Reader, Transaction
from countinghouse.core.errors import Busy
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.numbers import letter_of
from countinghouse.intake.answers import Call, read_answer, store_answer
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
    return [validated(noun.row, row) for row in read_rows(body, noun.row)]


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
    answered = await read_answer(transaction, call)
    if answered is not None:
        return answered
    results = await store_rows(transaction, actor, noun, rows)
    numbers = await _read_numbers(transaction, noun, results)
    shown = [_shown(index, result, numbers.get(result.row_id)) for index, result in enumerate(results)]
    answer = msgspec.json.encode({"results": shown})
    await store_answer(transaction, call, answer)
    return answer


async def _read_numbers(reader: Reader, noun: Noun, results: Sequence[Result]) -> dict[str | None, str]:
    """As they are shown, by id. Those that the database has not said yet are read."""
    if noun.numbers is None:
        return {}
    numbers = {result.row_id: result.number for result in results if result.row_id is not None}
    missing = sorted(row_id for row_id, number in numbers.items() if number is None)
    if missing:
        numbers |= dict(await reader.all(noun.numbers, {"ids": bound_ids(missing, reader.is_sqlite)}))
    letter = letter_of(noun.table)
    return {row_id: f"{letter}-{number}" for row_id, number in numbers.items()}


def _shown(index: int, result: Result, number: str | None) -> dict[str, object]:
    shown: dict[str, object] = {
        "index": index,
        "outcome": result.outcome,
        "_id": result.row_id,
        "externalId": result.external_id,
    }
    if number is not None:
        shown["number"] = number
    return shown | {"fields": result.fields} if result.fields else shown
