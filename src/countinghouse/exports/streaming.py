"""Streams the file: rows at the client's pace, a heartbeat twice a second, and an outcome that is always recorded."""

from collections.abc import Callable, Coroutine
from typing import Any

import structlog
from anyio import CancelScope, CapacityLimiter, create_task_group, sleep
from anyio.abc import TaskGroup
from anyio.to_thread import run_sync
from sqlalchemy import Row
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from countinghouse.audit.actions import Actor
from countinghouse.core.db import DATABASE_ERRORS, Chosen, Database, Reader
from countinghouse.core.errors import Busy
from countinghouse.exports.actions import beat, end_export
from countinghouse.exports.files import RowWriter, file_name
from countinghouse.exports.queries import Outcome

log = structlog.get_logger()

BEAT_SECONDS = 0.5
ROWS_A_CHUNK = 500
# Long, because the download has begun: a search without an index may read a million rows before the next match.
SILENCE_SECONDS = 60.0

# Each export holds a connection for as long as its client reads. Others wait their turn, with the download begun.
_turns = CapacityLimiter(4)
# Separate threads, so that rows do not queue behind requests.
_writing_threads = CapacityLimiter(4)


class ExportAnswer(Response):
    def __init__(
        self,
        database: Database,
        export: Row[Any],
        actor: Actor,
        choose: Callable[[Reader], Coroutine[Any, Any, Chosen]],
        writer: RowWriter,
    ) -> None:
        super().__init__(media_type=writer.media_type)
        # The length is not known in advance, so the file is sent in chunks. An incomplete file has no last chunk.
        del self.headers["content-length"]
        name = file_name(export.list, export.created_at, export.format)
        self.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        self.headers["Cache-Control"] = "no-store"
        self._database = database
        self._export_id = export.id
        self._actor = actor
        self._choose = choose
        self._writer = writer
        self._rows_written = 0
        self._outcome: Outcome | None = None
        self._is_recorded = False

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with create_task_group() as tasks:
                tasks.start_soon(self._watch_client, receive, tasks)
                tasks.start_soon(self._beat, tasks)
                await self._write_or_fail(send)
                tasks.cancel_scope.cancel()
        finally:
            if not self._is_recorded:
                # If the outcome "done" could not be recorded, the file was sent without its last chunk.
                await self._end("failed" if self._outcome in (None, "done") else self._outcome)
        # If a response has no last chunk, the server breaks the connection. The browser then reports the download as
        # failed, so an incomplete file never looks complete.

    async def _write_or_fail(self, send: Send) -> None:
        try:
            await self._write(send)
        except Exception:
            if self._outcome is None:
                self._outcome = "failed"
                log.exception("export_failed", export=self._export_id)

    async def _write(self, send: Send) -> None:
        async def put(piece: bytes) -> None:
            if piece:
                await send({"type": "http.response.body", "body": piece, "more_body": True})

        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await put(self._writer.begin())
        async with _turns, self._database.stream(self._choose, silence_seconds=SILENCE_SECONDS) as stream:
            while rows := await stream.fetch_named(ROWS_A_CHUNK):
                await put(await run_sync(self._writer.add, rows, limiter=_writing_threads))
                self._rows_written += len(rows)
        await put(self._writer.end())
        if self._outcome is not None:
            return
        self._outcome = "done"
        # Before the last chunk, so that nobody has a complete file that the audit log does not record.
        if await self._end(self._outcome):
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _watch_client(self, receive: Receive, tasks: TaskGroup) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._stop("left", tasks)

    async def _beat(self, tasks: TaskGroup) -> None:
        while True:
            await sleep(BEAT_SECONDS)
            try:
                outcome = await self._database.change(lambda change: beat(change, self._export_id, self._rows_written))
            except (*DATABASE_ERRORS, Busy):
                log.warning("export_beat_missed", export=self._export_id)
                continue
            if outcome is not None:
                return self._stop(outcome, tasks)

    def _stop(self, outcome: Outcome, tasks: TaskGroup) -> None:
        """Cancelling the task that waits for rows also ends their statement."""
        if self._outcome is None:
            self._outcome = outcome
            tasks.cancel_scope.cancel()

    async def _end(self, outcome: Outcome) -> bool:
        """Returns whether this call ended the export. Runs to its end even if the request is cancelled."""
        with CancelScope(shield=True):
            ended = await self._database.write(
                lambda transaction: end_export(transaction, self._actor, self._export_id, outcome, self._rows_written)
            )
        self._is_recorded = True
        return ended
