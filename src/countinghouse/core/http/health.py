"""Whether this server works, for load balancers."""

from fastapi import Request
from fastapi.responses import JSONResponse

from countinghouse.core.http.answers import error_answer
from countinghouse.core.http.requests import get_database
from countinghouse.core.http.routers import open_router
from countinghouse.core.migrate import SchemaState, read_schema_state

RETRY = {"Retry-After": "5"}

router = open_router("", "health")


@router.get("/healthz", summary="Alive")
async def healthz() -> dict[str, str]:
    return {"status": "alive"}


@router.get("/readyz", summary="Database reachable and migrated", response_model=dict[str, str])
async def readyz(request: Request) -> dict[str, str] | JSONResponse:
    # Uses the same connections as requests do, so it fails when they would.
    state = await get_database(request).read(read_schema_state)
    if state is SchemaState.TOO_NEW:
        # Another instance has been upgraded, but this one has not.
        return error_answer(
            503,
            "not_upgraded",
            "The database is newer than this server. Install the newer version here.",
            headers=RETRY,
        )
    if state is SchemaState.BEHIND:
        return error_answer(
            503, "not_migrated", "The database is not migrated yet. Start the server to migrate it.", headers=RETRY
        )
    return {"status": "ready"}
