"""Access to the database and the settings from a route.

A route opens its own transaction, with `get_database(request).writing()`. It is committed before the response is built,
so a 200 means stored. It is not a dependency, because a dependency would hold the transaction while it waits for a
thread to run the route, and enough concurrent writers would then deadlock.
"""

from typing import cast

from fastapi import Request

from countinghouse.core.database import Database
from countinghouse.settings import Settings


def get_database(request: Request) -> Database:
    return cast(Database, request.app.state.database)


def get_settings(request: Request) -> Settings:
    return cast(Settings, request.app.state.settings)
