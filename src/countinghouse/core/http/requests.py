"""Access to the database and the settings from a route.

A route runs its own transaction, with `await get_database(request).write(…)`. It is committed before the response is
built, so a 200 means stored.
"""

from typing import cast

from fastapi import Request

from countinghouse.core.db import Database
from countinghouse.settings import Settings


def get_database(request: Request) -> Database:
    return cast(Database, request.app.state.database)


def get_settings(request: Request) -> Settings:
    return cast(Settings, request.app.state.settings)
