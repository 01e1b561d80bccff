"""How a sentence names several clients."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Clients:
    """How many clients, and the names of a few; `or_more` is set if not all were counted."""

    count: int
    names: Sequence[str]
    or_more: bool = False

    def as_others(self) -> str:
        """Beside the client whom the sentence is about."""
        if self.count == 1 and not self.or_more:
            return f"another client: {self.names[0]}"
        count = f"{'at least ' if self.or_more else ''}{self.count:,}"
        noun = "client" if self.count == 1 else "clients"
        among = ":" if self.count == len(self.names) else ", among them"
        return f"{count} other {noun}{among} {_join_with_and(self.names)}"


def _join_with_and(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
