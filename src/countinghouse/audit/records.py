"""What the audit log says about a kind of record, so that `audit verify` can compare it with what is stored."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from sqlalchemy import Column, Select

from countinghouse.audit.chain import AuditRow

# Only what is in it is compared.
State = dict[str, Any]


class Known(Protocol):
    """What the rows before say about a record. About one of another kind that is compared earlier, also this row."""

    def __call__(self, record_id: str, of_kind: str | None = None, /) -> State: ...


@dataclass(frozen=True)
class Kind:
    # In the messages and in exports of the log.
    name: str
    # The rows of the log that tell of it: `claim` for claim.moved.
    noun: str
    # The id of the record that a row is about, and its state after that row, from its state before it. None if the row
    # says nothing about its state.
    logged_state: Callable[[AuditRow, Known], tuple[str, State] | None]
    # `id`, which messages name, and the columns that `state` needs. Read in portions, by the key.
    stored: Select[Any]
    key: Column[str]
    state: Callable[[Any], State]
    # How many are in memory at once.
    portion: int = 2_000
    # Whether a record may be there that the log does not mention.
    may_be_unlogged: Callable[[State], bool] = lambda _state: False
    # Whether such a record is counted in a remark.
    is_worth_a_remark: Callable[[State], bool] = lambda _state: False
    # What only rows since 0.1.1 tell: its names, in words, and whether the log should tell it of a record by now.
    later: tuple[str, ...] = ()
    later_in_words: str = ""
    expects_later: Callable[[State], bool] = lambda _logged: True

    def lacks_later(self, logged: State) -> bool:
        return self.expects_later(logged) and not logged.keys() >= set(self.later)


def details_of(row: AuditRow, name: Literal["before", "after"] = "after") -> dict[str, Any]:
    """An altered one may be anything."""
    try:
        decoded = json.loads(row[name] or "{}")
    except (ValueError, TypeError, RecursionError):
        return {}
    return decoded if isinstance(decoded, dict) else {}


def changed_before(row: AuditRow, record_id: str, known: State) -> State:
    """What the row says was there before it, where that is not what is known."""
    if record_id != row["subject_id"]:
        return {}
    was = details_of(row, "before")
    return {name: was[name] for name in known if name in was and was[name] != known[name]}


def fits(kind: Kind, row: AuditRow, before: Known, known: State | None) -> bool:
    """Whether what the row says was there before it is what is `known` of its subject. None if nothing is."""
    was = changed_before(row, row["subject_id"], known) if known is not None else details_of(row, "before")
    if not was:
        return True
    # Most rows fit, so this is rarely asked.
    found = kind.logged_state(row, before)
    return found is None or found[0] != row["subject_id"]


def in_words(state: State) -> str:
    return ", ".join(f"{name} {value}" for name, value in state.items())
