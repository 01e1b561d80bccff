"""Work on a line. It is written as if it waited for each answer; in truth it stops there and the event loop goes on."""

from collections.abc import Callable
from typing import Any, TypeVar

from greenlet import getcurrent, greenlet
from psycopg.pq.abc import PGresult
from sqlalchemy import Dialect
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from countinghouse.core.quick.line import Line, checked
from countinghouse.core.quick.look import Cells, Look
from countinghouse.core.quick.statement import Plan, Statement, Values

T = TypeVar("T")

NUMBERED: Dialect = PGDialect_psycopg(paramstyle="numeric_dollar")  # type: ignore[no-untyped-call]


class NotForALine(Exception):
    """A statement that needs settings of its own, or a new plan each time: a thread is the place for it."""


class TalkingLine(Line):
    def __init__(self, *line: Any) -> None:
        super().__init__(*line)
        self._guard, self._worker = _Talker(self), _Talker(self)

    async def read(self, work: Callable[[Look], T]) -> T:
        worker = self._worker
        try:
            worker.begin(work)
            while worker.is_asking:
                worker.go_on((await self.answers())[0])
            result: T = worker.result
            return result
        finally:
            self._end()

    async def read_if(self, allowed: Callable[[Look], bool], work: Callable[[Look], T]) -> T | None:
        """Both ask together. What the database says to `work`, an error too, counts only after a yes."""
        guard, worker = self._guard, self._worker
        try:
            guard.begin(allowed)
            if guard.is_asking or guard.result:
                worker.begin(work)
            while guard.is_asking:
                answers = await self.answers()
                guard.go_on(answers[0])
                if not guard.is_asking and not guard.result:
                    return None
                if worker.is_asking:
                    worker.go_on(answers[1])
            if not guard.result:
                return None
            while worker.is_asking:
                worker.go_on((await self.answers())[0])
            result: T = worker.result
            return result
        finally:
            self._end()

    def _end(self) -> None:
        self._guard.end()
        self._worker.end()
        self.let_go()


class _Talker:
    """Kept from one piece of work to the next: a new stack each time would cost more than the talk."""

    def __init__(self, line: Line) -> None:
        self._look = _LineLook(line)
        self._greenlet = greenlet(self._run)
        self.is_asking = False
        self.result: Any = None

    def begin(self, work: Callable[[Look], Any]) -> None:
        if self._greenlet.dead:
            self._greenlet = greenlet(self._run)
        # What is logged on the way belongs to this request.
        self._greenlet.gr_context = getcurrent().gr_context
        self.is_asking = self._greenlet.switch(work)

    def go_on(self, answer: PGresult) -> None:
        self.is_asking = False
        self.is_asking = self._greenlet.switch(answer)

    def end(self) -> None:
        self.result = None
        if self.is_asking:
            self.is_asking = False
            self._greenlet.throw()

    def _run(self, work: Callable[[Look], Any]) -> None:
        while True:
            self.result = work(self._look)
            work = _to_the_event_loop(False)


def _to_the_event_loop(is_asking: bool) -> Any:
    """Gives what it is gone on with."""
    return getcurrent().parent.switch(is_asking)


class _LineLook:
    is_sqlite = False

    def __init__(self, line: Line) -> None:
        self._line = line

    def all(self, statement: Statement, values: Values) -> list[Cells]:
        return self._line.rows(self._ask(statement, values))

    def _ask(self, statement: Statement, values: Values) -> PGresult:
        if statement.plan is not Plan.ONCE:
            raise NotForALine
        compiled = statement.compiled(NUMBERED)
        bound = compiled.bound(values)
        self._line.ask(compiled.encoded, [bound[name] for name in compiled.names])
        return checked(_to_the_event_loop(True))
