"""Rows that are fetched on demand, from one snapshot: a million rows use the memory of one chunk."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ClauseElement, Row

from countinghouse.core.db.statement import Cells, Compiled, Values


@dataclass(frozen=True)
class Chosen:
    """What to stream. `settings` are PostgreSQL settings for its transaction, such as `enable_sort = off`."""

    clause: ClauseElement
    values: Values
    settings: tuple[str, ...] = ()


class Rows(ABC):
    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled

    @abstractmethod
    async def fetch(self, count: int) -> list[Cells]:
        """Empty at the end. A caller that is cancelled while it waits also ends the statement."""

    async def fetch_named(self, count: int) -> list[Row[Any]]:
        return self._compiled.rows(await self.fetch(count))
