"""The networks that logins may come from, if the operator names any. Open sessions and API keys work from anywhere."""

import structlog
from starlette.requests import Request

from countinghouse.admins.queries import find_admin
from countinghouse.admins.refusals import count_refusal
from countinghouse.core.db import Transaction
from countinghouse.core.errors import Forbidden
from countinghouse.core.http.callers import wait_with_network
from countinghouse.core.http.requests import client_address, get_database, get_settings, is_within

log = structlog.get_logger()


async def refuse_elsewhere(request: Request, username: str = "") -> None:
    """For every way in, before anything else. `username` is what was typed, if a name was."""
    settings = get_settings(request)
    address = client_address(request, settings.trusted_proxies)
    if not settings.login_networks or is_within(address, settings.login_networks):
        return

    async def count(transaction: Transaction) -> str:
        admin = await find_admin(transaction, username) if username else None
        admin_id, known_name = (None, None) if admin is None else (admin.id, admin.username)
        return await count_refusal(transaction, username, admin_id, known_name, address)

    # Clients take turns by network, so that a flood from one does not block the others.
    wait_with_network(request)
    name = await get_database(request).write(count)
    log.warning("login_from_elsewhere", name=name, address=str(address))
    message = f"You cannot log in from this network ({address}). Ask your operator which networks are allowed."
    raise Forbidden("login_network", message)
