"""Streams the file: rows at the client's pace, a heartbeat twice a second, and an outcome that is always recorded."""

import structlog
from anyio import CancelScope, CapacityLimiter, create_task_group, sleep
from anyio.abc import TaskGroup
from anyio.to_thread import run_sync
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from countinghouse.audit.actions import Actor
from countinghouse.core.database import Database
from countinghouse.exports.actions import beat, end_export
from countinghouse.exports.files import RowWriter
from countinghouse.exports.queries import Outcome
from countinghouse.exports.reading import Reading

log = structlog.get_logger()

BEAT_SECONDS = 0.5

# Each export holds a connection for as long as its client reads. Others wait their turn, with the download begun.
_turns = CapacityLimiter(4)
# Separate threads, so that rows and heartbeats do not queue behind requests, nor heartbeats behind rows.
_row_threads = CapacityLimiter(4)
_beat_threads = CapacityLimiter(4)


class ExportAnswer(Response):
    def __init__(
        self,
        database: Database,
        export_id: str,
        actor: Actor,
        reading: Reading,
        writer: RowWriter,
        *,
        file_name: str,
        media_type: str,
    ) -> None:
        super().__init__(media_type=media_type)
        # The length is not known in advance, so the file is sent in chunks. An incomplete file has no last chunk.
        del self.headers["content-length"]
        self.headers["Content-Disposition"] = f'attachment; filename="{file_name}"'
        self.headers["Cache-Control"] = "no-store"
        self._database = database
        self._export_id = export_id
        self._actor = actor
        self._reading = reading
        self._writer = writer
        self._rows_written = 0
        self._outcome: Outcome | None = None
        self._is_fetching = False
        self._is_recorded = False

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with create_task_group() as tasks:
                tasks.start_soon(self._watch_client, receive, tasks)
                tasks.start_soon(self._beat, tasks)
                await self._write_or_fail(send)
                tasks.cancel_scope.cancel()
        finally:
            with CancelScope(shield=True):
                await run_sync(self._close, limiter=_beat_threads)
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
        async with _turns:
            while True:
                piece, rows = await self._next_piece()
                if not rows:
                    break
                await put(piece)
                self._rows_written += rows
        await put(self._writer.end())
        if self._outcome is not None:
            return
        self._outcome = "done"
        # Before the last chunk, so that nobody has a complete file that the audit log does not record.
        if await run_sync(self._end, self._outcome, limiter=_beat_threads):
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _next_piece(self) -> tuple[bytes, int]:
        def fetch() -> tuple[bytes, int]:
            rows = self._reading.next_rows()
            return self._writer.add(rows), len(rows)

        self._is_fetching = True
        try:
            return await run_sync(fetch, limiter=_row_threads)
        finally:
            self._is_fetching = False

    async def _watch_client(self, receive: Receive, tasks: TaskGroup) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        await self._stop("left", tasks)

    async def _beat(self, tasks: TaskGroup) -> None:
        while True:
            await sleep(BEAT_SECONDS)
            try:
                # Abandoned when the file is done: it may be waiting for another writer.
                outcome = await run_sync(self._send_beat, abandon_on_cancel=True, limiter=_beat_threads)
            except SQLAlchemyError:
                log.warning("export_beat_missed", export=self._export_id)
                continue
            if outcome is not None:
                return await self._stop(outcome, tasks)

    async def _stop(self, outcome: Outcome, tasks: TaskGroup) -> None:
        if self._outcome is not None:
            return
        self._outcome = outcome
        tasks.cancel_scope.cancel()
        with CancelScope(shield=True):
            # A thread cannot be cancelled, but its statement can. Repeated in case the statement had not started yet.
            await run_sync(self._reading.stop, limiter=_beat_threads)
            while self._is_fetching:
                await sleep(0.05)
                await run_sync(self._reading.stop, limiter=_beat_threads)

    def _send_beat(self) -> Outcome | None:
        with self._database.writing() as connection:
            return beat(connection, self._export_id, self._rows_written)

    def _end(self, outcome: Outcome) -> bool:
        with self._database.writing() as connection:
            ended = end_export(connection, self._actor, self._export_id, outcome, self._rows_written)
        self._is_recorded = True
        return ended

    def _close(self) -> None:
        try:
            self._reading.close()
        finally:
            if not self._is_recorded:
                # If the outcome "done" could not be recorded, the file was sent without its last chunk.
                self._end("failed" if self._outcome in (None, "done") else self._outcome)
