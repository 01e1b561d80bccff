"""A served app is not looked through for garbage again and again: nobody would be answered meanwhile."""

import subprocess
import sys

from tests.engines import on_one_engine
from tests.servers import server_environment

SERVED = """
import asyncio, gc
from countinghouse.cli.processes import create_served_app

async def serve():
    app = create_served_app()
    async with app.router.lifespan_context(app):
        collections = []
        gc.callbacks.append(lambda phase, info: collections.append(phase))
        decoded = [[] for _ in range(5_000)]
        gc.callbacks.clear()
        print("found", len(collections), len(gc.get_objects()) - len(decoded))

asyncio.run(serve())
"""


@on_one_engine
def test_a_served_app_is_left_out_of_garbage_collections(database_url: str) -> None:
    words = (sys.executable, "-c", SERVED)
    run = subprocess.run(words, env=server_environment(database_url), capture_output=True, text=True, check=True)
    found = next(line for line in run.stdout.splitlines() if line.startswith("found"))
    collections, looked_through = map(int, found.split()[1:])
    assert collections == 0
    # It has loaded a quarter of a million objects.
    assert looked_through < 20_000
