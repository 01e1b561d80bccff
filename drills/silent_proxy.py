"""A TCP proxy in front of PostgreSQL that can go silent: everything stays connected, and nothing gets through."""

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from countinghouse.core.db.connecting import DEAD_PEER_SECONDS


class SilentProxy:
    """Accepts and forwards connections only while it is not silent. Never forwards those that it has forgotten."""

    def __init__(self, target: tuple[str, int]) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._changed = threading.Condition()
        self._is_silent = False
        self._is_closed = False
        # Connections of an earlier generation are forgotten.
        self._generation = 0
        self._sockets: set[socket.socket] = set()
        # Those to PostgreSQL, of connections that are not forgotten.
        self._to_postgres: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def go_silent(self) -> None:
        with self._changed:
            self._is_silent = True

    def heal(self) -> None:
        with self._changed:
            self._is_silent = False
            self._changed.notify_all()

    def forget(self) -> None:
        """Like a firewall that lost its state: existing connections stay silent for ever, new ones work.

        PostgreSQL's keepalive packets would then go unanswered, but here the kernel answers them for the proxy. So the
        proxy itself ends the connections to PostgreSQL when the keepalive of the real network would.
        """
        with self._changed:
            self._generation += 1
            forgotten, self._to_postgres = self._to_postgres, set()
        keepalive = threading.Timer(DEAD_PEER_SECONDS, _reset, [forgotten])
        keepalive.daemon = True
        keepalive.start()

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
            opened = [self._listener, *self._sockets]
        for one in opened:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._forward, args=(client, self._generation), daemon=True).start()

    def _may_pass(self, generation: int) -> bool:
        """Waits while it is silent. Returns False if the proxy was closed meanwhile."""
        with self._changed:
            while not self._is_closed and (self._is_silent or generation != self._generation):
                self._changed.wait()
            return not self._is_closed

    def _forward(self, client: socket.socket, generation: int) -> None:
        self._sockets.add(client)
        try:
            if self._may_pass(generation) and not _has_left(client):
                with socket.create_connection(self._target) as server:
                    self._sockets.add(server)
                    self._to_postgres.add(server)
                    back = threading.Thread(target=self._pump, args=(server, client, generation), daemon=True)
                    back.start()
                    self._pump(client, server, generation)
                    back.join()
                    self._sockets.discard(server)
                    self._to_postgres.discard(server)
        except OSError:
            # PostgreSQL refused the connection, as it does while it starts.
            pass
        finally:
            self._sockets.discard(client)
            client.close()

    def _pump(self, source: socket.socket, sink: socket.socket, generation: int) -> None:
        with suppress(OSError):
            while (data := source.recv(65536)) and self._may_pass(generation):
                sink.sendall(data)
        # The end of a stream is data too, and does not get through a silent network either.
        if self._may_pass(generation):
            with suppress(OSError):
                sink.shutdown(socket.SHUT_WR)


def _has_left(client: socket.socket) -> bool:
    """Whether it gave up meanwhile. A silent network drops its packets, so nothing of it arrives later."""
    poll = select.poll()
    poll.register(client, select.POLLRDHUP)
    return bool(poll.poll(0))


def _reset(connections: set[socket.socket]) -> None:
    for connection in connections:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def silent_proxy(target: tuple[str, int]) -> Iterator[SilentProxy]:
    proxy = SilentProxy(target)
    try:
        yield proxy
    finally:
        proxy.close()
