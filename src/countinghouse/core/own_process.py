"""A module of this program in a process of its own, with the same settings and database."""

import asyncio
import os
import sys


def environment_with(database_url: str) -> dict[str, str]:
    # As the setting spells it; SQLAlchemy's spelling names the driver too.
    url = database_url.replace("postgresql+psycopg://", "postgresql://", 1)
    return os.environ | {"COUNTINGHOUSE_DATABASE_URL": url}


async def start_module(
    module: str, *words: str, database_url: str, stdout: int | None = None
) -> asyncio.subprocess.Process:
    # -P: never import a module from the folder in which the server was started.
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module, *words),
        env=environment_with(database_url),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=stdout,
    )
