"""What a route may ask for.

A route opens its own transaction, with `get_database(request).writing()`: it is committed before the answer is made, so
a 200 means stored. It is not a dependency, because a dependency would hold the transaction while it waits for a thread
to run the route on, and enough writers at once would wait for each other.
"""

from typing import cast

from fastapi import Request

from countinghouse.core.database import Database
from countinghouse.settings import Settings


def get_database(request: Request) -> Database:
    return cast(Database, request.app.state.database)


def get_settings(request: Request) -> Settings:
    return cast(Settings, request.app.state.settings)
