"""The one event loop of the tests, in its own thread. The app and the room functions that tests call run on it."""

import asyncio
import atexit
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

import uvloop

T = TypeVar("T")

# The longest time that a call may take, whatever it does.
DEADLINE_SECONDS = 120.0

_loop = uvloop.new_event_loop()
_thread = threading.Thread(target=_loop.run_forever, name="calls of tests", daemon=True)
_thread.start()


def start(work: Coroutine[Any, Any, T]) -> Future[T]:
    return asyncio.run_coroutine_threadsafe(work, _loop)


def run(work: Coroutine[Any, Any, T]) -> T:
    """May be called from several threads at once; their calls then run side by side, as in a server."""
    return start(work).result(DEADLINE_SECONDS)


def _stop() -> None:
    _loop.call_soon_threadsafe(_loop.stop)
    _thread.join(10)
    _loop.close()


atexit.register(_stop)
