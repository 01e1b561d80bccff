"""One HTTP connection: deadlines and size limits for requests, and a minimum read rate for clients.

uvicorn alone waits forever for a request that trickles in, buffers any amount of headers, trailers and pipelined
requests, and never drops a client that does not read. It also writes the head of a response separately; here it is sent
together with the body, which saves a system call. And an endless response learns through the request's state that the
server is about to stop.
"""

import asyncio
import socket
import time
from contextlib import suppress
from typing import Any, ClassVar

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from countinghouse.core.descriptors import connection_limit
from countinghouse.core.http.answers import SENTENCES
from countinghouse.core.http.connections import ConnectionShares
from countinghouse.core.http.edge import raw_answer, route_template
from countinghouse.core.http.head_with_body import HeadWithBody
from countinghouse.core.http.readers import ReaderRate

log = structlog.get_logger()

# The key of an event in the request's state, set when the server stops: uvicorn waits for every open response to end.
SERVER_LEAVES = "server_leaves"

# Received data is parsed in pieces of this size, so that no limit is exceeded by much more than this.
PIECE_BYTES = 16 * 1024
# The kernel reports progress only after a third of its send buffer was sent, and by default that buffer grows to
# megabytes: a slow client would seem to read nothing for a minute.
UNSENT_BYTES = 64 * 1024
# A client or proxy that is still sending when the connection closes never reads the error response. So the server keeps
# reading for a while, but does not parse: longer after an answer of the application, as long as data keeps arriving.
LINGER_SECONDS = 1.0
LONG_LINGER_SECONDS = 30.0
# Over the connection limit, this many connections at a time still get a response. Others are closed at once.
TURNED_AWAY_CONNECTIONS = 32
LOG_PAUSE_SECONDS = 10.0
_TOO_MANY_CHUNKS = ("too_many_chunks", "The body came in too many small chunks. Send larger ones, or its length.")


class DeadlineProtocol(HttpToolsProtocol):
    header_seconds = 10.0
    body_seconds = 60.0
    # Limits for one request: the request line and headers, then chunk sizes, extensions and trailers besides the body.
    header_bytes = 64 * 1024
    # As many trailers, besides.
    header_count = 200
    # The same as in common proxies. It applies to the path and to the query string.
    address_bytes = 8 * 1024
    query_fields = 200
    # A body may have as many bytes of framing more as it has itself.
    framing_bytes = 128 * 1024
    # Each chunk costs a call, however small it is. Programs send a chunk for each line of their rows.
    spare_chunks = 256
    bytes_per_chunk = 64
    queued_requests = 16
    # A safety net: reading normally pauses long before this.
    unread_body_bytes = 1024 * 1024
    # The rest of a request that was already answered or refused.
    ignored_bytes = 16 * 1024 * 1024
    reader_seconds = 15.0
    reader_bytes_per_second = 8 * 1024
    # Replaced at the start of a server, by those of its settings.
    shares: ClassVar[ConnectionShares] = ConnectionShares()
    _connections_logged_at: ClassVar[float] = -LOG_PAUSE_SECONDS

    _is_in_headers = True
    _is_ignoring = False
    _network: str | None = None
    _piece_bytes = 0
    _framing_bytes_seen = 0
    _body_bytes_seen = 0
    _ignored_bytes_seen = 0
    _chunks_seen = 0
    _lingers_until = 0.0
    _refusal = (400, *SENTENCES[400])
    # For what has begun, if the data that arrived does not complete it: most requests need no timer.
    _due_seconds: float | None = None
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._server_leaves = asyncio.Event()
        self.reader = ReaderRate(transport, self.loop, self._drop_slow_reader)
        self._network = self.shares.add(self.client[0] if self.client else None)
        if len(self.connections) > connection_limit():
            self._reject_connection(len(self.connections), connection_limit())
            return
        if self.shares.count(self._network) > self.shares.most:
            self._reject_connection(self.shares.count(self._network), self.shares.most, network=self._network)
            return
        self._expect_within(self.header_seconds)
        with suppress(OSError, AttributeError):
            client_socket = transport.get_extra_info("socket")
            client_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)

    def on_message_begin(self) -> None:
        self._is_in_headers = True
        # The piece in which a request begins is not counted: part of it may belong to the previous request.
        self._framing_bytes_seen = -self._piece_bytes
        self._body_bytes_seen = self._ignored_bytes_seen = self._chunks_seen = 0
        self._due_seconds = self.header_seconds
        if self.transport.get_write_buffer_size() == 0:
            self.reader.forget()
        elif not self.flow.write_paused:
            self.reader.stop()
        super().on_message_begin()
        self.scope["state"][SERVER_LEAVES] = self._server_leaves

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > self.header_count:
            raise self._refused_with(431)

    def on_headers_complete(self) -> None:
        is_long = len(self.url) > self.address_bytes and max(map(len, self.url.split(b"?", 1))) > self.address_bytes
        if is_long or self.url.count(b"&") >= self.query_fields:
            raise self._refused_with(414)
        if len(self.pipeline) >= self.queued_requests:
            raise self._refused_with(400)
        super().on_headers_complete()
        self._is_in_headers = False
        self._due_seconds = self.body_seconds
        # Its task has not started yet, so every byte of the response is written through this.
        response = HeadWithBody(self.transport, self.loop, self.reader, self._end)
        self.cycle.transport = response  # type: ignore[assignment]
        # Trailers must not become headers: data after the body must not change decisions made before it.
        self.headers = []

    def on_chunk_header(self) -> None:
        self._chunks_seen += 1
        if self._chunks_seen > self.spare_chunks + self._body_bytes_seen // self.bytes_per_chunk:
            raise self._refused_with(400, _TOO_MANY_CHUNKS)

    def on_body(self, body: bytes) -> None:
        self._framing_bytes_seen -= len(body)
        self._body_bytes_seen += len(body)
        if self.cycle.response_complete:
            self._ignore(len(body))
            return
        super().on_body(body)
        if len(self.cycle.body) > self.unread_body_bytes:
            self.transport.abort()

    def on_message_complete(self) -> None:
        self._due_seconds = None
        self._stop_waiting()
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        if self._is_ignoring:
            self._ignore(len(data))
            if self.loop.time() < self._lingers_until:
                self._expect_within(LINGER_SECONDS)
            return
        if len(data) <= PIECE_BYTES:
            self._parse(data)
        else:
            whole = memoryview(data)
            for start in range(0, len(data), PIECE_BYTES):
                self._parse(whole[start : start + PIECE_BYTES])
                if self.transport.is_closing() or self._is_ignoring:
                    return
        if self._due_seconds is not None:
            self._expect_within(self._due_seconds)
        # The bytes stopped the keep-alive timer. Some bytes do not begin a request (an empty line, the rest of a body
        # that was answered early), and without a timer such a connection would stay open forever.
        is_idle = self.cycle is None or self.cycle.response_complete
        if is_idle and self._deadline is None and not self.transport.is_closing():
            self._expect_within(self.header_seconds)

    def send_400_response(self, _message: str) -> None:
        """uvicorn calls this when its parser, or one of the callbacks above, raises an error."""
        if self._is_in_headers:
            is_first = self.cycle is None or self.cycle.response_complete
        else:
            is_first = not self.cycle.response_started and not self.pipeline
        if not is_first:
            # Another response is in progress, and an error response would end up in the middle of it.
            self.transport.abort()
            return
        if not self._is_in_headers:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        peer = self.client[0] if self.client else None
        log.warning("protocol_error", status=self._refusal[0], error=self._refusal[1], peer=peer)
        self.transport.write(raw_answer(*self._refusal))
        self._ignore_the_rest()

    def on_response_complete(self) -> None:
        # While it lingers, the connection has had its last answer.
        if not self._lingers_until:
            super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_reader()

    def resume_writing(self) -> None:
        self.reader.stop()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        self._close()

    def shutdown(self) -> None:
        self._server_leaves.set()
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self.reader.stop()
        super().connection_lost(exc)
        self.shares.remove(self._network)
        self._network = None

    def _unsupported_upgrade_warning(self) -> None:
        # The parser drops the rest of this piece. The outcome must not depend on how the data was split into pieces, so
        # no further request is read on this connection.
        self._is_ignoring = True
        self.cycle.keep_alive = False

    def _parse(self, piece: bytes | memoryview) -> None:
        self._piece_bytes = len(piece)
        super().data_received(piece)  # type: ignore[arg-type]
        self._framing_bytes_seen = max(0, self._framing_bytes_seen + len(piece))
        allowed = self.header_bytes if self._is_in_headers else self.framing_bytes + self._body_bytes_seen
        if self._framing_bytes_seen > allowed and not self._is_ignoring and not self.transport.is_closing():
            self._refused_with(431)
            self.send_400_response("")

    def _refused_with(self, status: int, words: tuple[str, str] | None = None) -> ValueError:
        self._refusal = (status, *(words or SENTENCES[status]))
        return ValueError("refused while it was parsed")

    def _ignore(self, count: int) -> None:
        self._ignored_bytes_seen += count
        if self._ignored_bytes_seen > self.ignored_bytes:
            self.transport.abort()

    def _reject_connection(self, count: int, limit: int, **whose: str | None) -> None:
        if time.monotonic() - DeadlineProtocol._connections_logged_at >= LOG_PAUSE_SECONDS:
            DeadlineProtocol._connections_logged_at = time.monotonic()
            log.error("too_many_connections", count=count, limit=limit, **whose)
        if count > limit + TURNED_AWAY_CONNECTIONS:
            self._is_ignoring = True
            self.transport.abort()
            return
        where = " from your network" if whose else ""
        sentence = f"Too many connections are open{where}. Try again in a few seconds."
        self.transport.write(raw_answer(503, "busy", sentence, {"Retry-After": "5"}))
        self._ignore_the_rest()

    def _ignore_the_rest(self) -> None:
        # If closed at once, the response would be lost: the kernel resets a connection that has unread data.
        self.transport.write_eof()
        self._is_ignoring = True
        self.flow.resume_reading()
        self._expect_within(LINGER_SECONDS)

    def _expect_within(self, seconds: float) -> None:
        self._due_seconds = None
        self._stop_waiting()
        self._deadline = self.loop.call_later(seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end(self) -> None:
        """After an answer of the application that closes the connection."""
        if self.cycle.more_body and not self.transport.is_closing():
            self._lingers_until = self.loop.time() + LONG_LINGER_SECONDS
            self._ignore_the_rest()
        else:
            self._close()

    def _give_up(self) -> None:
        self._deadline = None
        self._close()

    def _close(self) -> None:
        """Buffered data is still sent, but a client that does not read it is dropped."""
        self.transport.close()
        self._watch_reader()

    def _watch_reader(self) -> None:
        if self.transport.get_write_buffer_size() > 0:
            self.reader.start(self.reader_seconds, self.reader_bytes_per_second)

    def _drop_slow_reader(self) -> None:
        route = route_template(self.cycle.scope) if self.cycle is not None else None
        log.warning("reader_too_slow", route=route, bytes=self.reader.taken)
        self.transport.abort()
