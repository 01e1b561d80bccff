"""Step-up: a fresh second factor for one exact request.

A route that needs one has a `StepUp` among its dependencies. An admin with a second factor is then refused with
`step_up_required`, confirms that request with a code or a passkey, and sends it again.
"""

from datetime import datetime, timedelta
from hashlib import sha256
from hmac import new as hmac
from typing import Any

from fastapi import Depends, Request
from fastapi.params import Depends as Dependency
from sqlalchemy import and_, bindparam, delete, insert, select

from countinghouse.admins.actions import AdminVerb
from countinghouse.admins.dependencies import acting_admin, sent_token
from countinghouse.admins.factors.tables import step_up_grants
from countinghouse.admins.queries import Admin, lock_admin
from countinghouse.audit.actions import record
from countinghouse.core.db import Reader, Statement, Transaction
from countinghouse.core.errors import Forbidden
from countinghouse.core.http.checked_route import Check
from countinghouse.core.http.requests import get_database
from countinghouse.core.secrets import hash_secret
from countinghouse.core.times import CLOCKS_DIFFER

GRANT_LASTS = timedelta(minutes=5)

# Every action that may need a step-up, in words for the screen.
ACTIONS = {
    "batches.pay": "marking these claims Paid",
    "claims.pay": "marking this claim Paid",
    "qr.display": "displaying this QR code",
    "policy.change": "changing the policy",
    "keys.manage": "changing the API keys",
    "admins.manage": "changing the admins",
    "exports.numbers": "exporting full account and mobile numbers",
    "account.password": "changing your password",
    "account.factors": "changing your second factors",
}


class StepUp(Check):
    """`always`: for every request of the route. Otherwise the route calls `demand` when it needs one."""

    def __init__(self, action: str, *, always: bool = True) -> None:
        if action not in ACTIONS:
            raise ValueError(f"unknown action: {action}")
        self.action = action
        self.always = always

    async def check(self, request: Request) -> None:
        if self.always:
            await self.demand(request)

    async def check_again(self, request: Request) -> None:
        """Nothing: the grant is used up, and the whole body had arrived by then."""

    async def demand(self, request: Request, *, work: str | None = None) -> None:
        """Uses up the grant for this exact request. Admins without a second factor have none to confirm with.

        `work` is what the session may go on with until the grant expires; `covers` then says so.
        """
        # A key has no admin either.
        admin: Admin | None = getattr(request.state, "admin", None)
        if admin is None or not admin.has_factor:
            return
        token = await sent_token(request)
        subject = await _digest(request, token)
        confirms, actor = what_is_confirmed(self.action, subject), await acting_admin(request)

        async def spend(transaction: Transaction) -> bool:
            if work is not None:
                # Two requests of the same work at the same time would both insert its row.
                await lock_admin(transaction, admin.id)
            grant = {"of_session": hash_secret(token), "of_confirms": confirms}
            spent = await transaction.first(_SPEND, grant | _valid_at(await transaction.now()))
            if spent is None:
                return False
            if work is not None:
                await _store(transaction, token, what_is_confirmed(self.action, work), spent.expires_at)
            after = {"action": self.action, "request": f"{request.method} {request.url.path}"}
            await record(transaction, actor, AdminVerb.STEP_UP_USED, admin.id, after=after)
            return True

        if not await get_database(request).write(spend):
            message = f"Confirm {ACTIONS[self.action]} with your authenticator app or a passkey."
            raise Forbidden("step_up_required", message, {"action": self.action, "subject": subject})

    async def covers(self, request: Request, work: str) -> bool:
        """Whether this session has confirmed a request of this work, and the grant has not expired."""
        of_session = hash_secret(await sent_token(request))
        of_work = {"of_session": of_session, "of_confirms": what_is_confirmed(self.action, work)}

        async def find(reader: Reader) -> bool:
            return await reader.scalar(_FIND, of_work | _valid_at(await reader.now())) is not None

        return await get_database(request).read(find)


def needs_step_up(action: str) -> list[Dependency]:
    """For the `dependencies` of a route, after its permission."""
    return [Depends(StepUp(action))]


async def _digest(request: Request, token: str) -> str:
    """Identifies the request. Keyed by the token, which is not stored: a body may contain a password."""
    line = f"{request.method} {request.url.path}?{request.url.query}\n"
    return hmac(token.encode(), line.encode() + await request.body(), sha256).hexdigest()


def what_is_confirmed(action: str, subject: str) -> bytes:
    return sha256(f"{action}\n{subject}".encode()).digest()


_IS_VALID = and_(
    step_up_grants.c.session_hash == bindparam("of_session"),
    step_up_grants.c.confirms == bindparam("of_confirms"),
    step_up_grants.c.expires_at > bindparam("at"),
    # One that lasts longer than any can was made before the clock was set back.
    step_up_grants.c.expires_at <= bindparam("latest"),
)
_SPEND = Statement(delete(step_up_grants).where(_IS_VALID).returning(step_up_grants.c.expires_at))
_FIND = Statement(select(step_up_grants.c.expires_at).where(_IS_VALID))
_SWEEP = Statement(delete(step_up_grants).where(step_up_grants.c.expires_at < bindparam("at")))
_RENEW = Statement(
    delete(step_up_grants).where(
        step_up_grants.c.session_hash == bindparam("of_session"), step_up_grants.c.confirms == bindparam("of_confirms")
    )
)
_GRANT = Statement(insert(step_up_grants))


def _valid_at(at: datetime) -> dict[str, Any]:
    return {"at": at, "latest": at + GRANT_LASTS + CLOCKS_DIFFER}


async def grant(transaction: Transaction, token: str, confirms: bytes) -> None:
    at = await transaction.now()
    await transaction.execute(_SWEEP, {"at": at})
    await _store(transaction, token, confirms, at + GRANT_LASTS)


async def _store(transaction: Transaction, token: str, confirms: bytes, expires_at: datetime) -> None:
    await transaction.execute(_RENEW, {"of_session": hash_secret(token), "of_confirms": confirms})
    row = {"session_hash": hash_secret(token), "confirms": confirms, "expires_at": expires_at}
    await transaction.execute(_GRANT, row)
