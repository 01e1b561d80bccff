"""`countinghouse` with a server that never exits on its own: it hangs after the last request."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

import countinghouse.main
from countinghouse.cli import app
from countinghouse.settings import Settings

create_app = countinghouse.main.create_app


def create_hanging_app(settings: Settings | None = None) -> countinghouse.main.DeskApp:
    served = create_app(settings)
    lifespan = served.router.lifespan_context

    @asynccontextmanager
    async def hang_at_the_end(started: FastAPI) -> AsyncIterator[None]:
        async with lifespan(started):
            yield
        # Blocks the thread of the event loop: not even its timers run any more.
        time.sleep(3600)

    served.router.lifespan_context = hang_at_the_end
    return served


# Not under `__main__`: a worker is a new process that imports this file under another name.
countinghouse.main.create_app = create_hanging_app

if __name__ == "__main__":
    app()
