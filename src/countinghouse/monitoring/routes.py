from typing import Any, cast

from fastapi import Request
from pydantic import with_config
from typing_extensions import TypedDict

from countinghouse import __version__
from countinghouse.admins.dependencies import SignedIn, desk_router
from countinghouse.admins.permissions import OWN
from countinghouse.core.http.requests import get_database, get_settings, is_within, peer_address
from countinghouse.monitoring.checks import Check, check_surroundings
from countinghouse.monitoring.examiner import Examiner
from countinghouse.monitoring.resource import READ

version_router = desk_router("/api/version", "version", SignedIn(OWN, while_enrolling=True))
router = desk_router("/api/health", "health", SignedIn(READ))


@with_config(json_schema_extra={"examples": [{"version": __version__}]})
class Version(TypedDict):
    version: str


_DISK: dict[str, Any] = {"title": "Disk", "state": "fine", "message": "58.1 GB free (23 %)."}


@with_config(json_schema_extra={"examples": [{"version": __version__, "checks": [_DISK]}]})
class Health(TypedDict):
    version: str
    checks: list[Check]


@version_router.get("", summary="The version of this server")
async def read_version() -> Version:
    return {"version": __version__}


@router.get("", summary="The state of the machine, the settings and the backups, and what to do about it")
async def read_health(request: Request) -> Health:
    checks = await check_surroundings(get_settings(request), get_database(request))
    return {"version": __version__, "checks": [_with_proxy_of(request, check) for check in checks]}


@router.get("/data", summary="Checks of everything that is stored; may take a minute")
async def examine_data(request: Request) -> list[Check]:
    return await cast(Examiner, request.app.state.examiner).examine()


def _with_proxy_of(request: Request, check: Check) -> Check:
    """This request shows whether a proxy is in front that the settings do not name."""
    peer = peer_address(request)
    is_forwarded = "x-forwarded-for" in request.headers
    if check["title"] != "Proxy" or not is_forwarded or is_within(peer, get_settings(request).trusted_proxies):
        return check
    message = (
        f"Requests come through the proxy {peer}, which is not trusted: name it in COUNTINGHOUSE_TRUSTED_PROXIES. "
        "Until then, all visitors share one login rate limit."
    )
    return {"title": check["title"], "state": "wrong", "message": message}
