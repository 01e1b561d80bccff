from typing import Annotated, Any

from fastapi import Request, Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from countinghouse.admins import login
from countinghouse.admins.actions import KEEP_DEVICES, end_session
from countinghouse.admins.dependencies import ActingAdmin, CurrentAdmin, SentToken, SignedIn, desk_router
from countinghouse.admins.factors.logging_in import (
    CodeLogin,
    PasskeyLogin,
    PasskeyStart,
    log_in_with_code,
    log_in_with_passkey,
    start_passkey_login,
)
from countinghouse.admins.names import Username
from countinghouse.admins.networks import refuse_elsewhere
from countinghouse.admins.passwords import LONGEST_PASSWORD
from countinghouse.admins.permissions import OWN, Role, permissions_of
from countinghouse.admins.queries import Admin, is_factor_required
from countinghouse.core.examples import body_examples
from countinghouse.core.http.answers import errors
from countinghouse.core.http.bodies import SHORT_BODY_BYTES, body_too_large
from countinghouse.core.http.callers import wait_with_network
from countinghouse.core.http.open_route import OpenRoute
from countinghouse.core.http.requests import client_address, get_database, get_settings, public_origin
from countinghouse.core.http.routers import INVALID, open_router
from countinghouse.core.inputs import Body
from countinghouse.core.lanes import Lane

DEVICE_COOKIE = "countinghouse_device"
LOGIN_PATH = "/api/admin/login"


class LoginRoute(OpenRoute):
    def check_body(self, body: bytes) -> None:
        """Only the answer of a passkey is long."""
        if len(body) > SHORT_BODY_BYTES and b'"passkey"' not in body:
            raise body_too_large(SHORT_BODY_BYTES)


login_router = open_router("", "admins", responses=INVALID, route_class=LoginRoute)
router = desk_router("/api/admin", "admins", SignedIn(OWN, while_enrolling=True))

LONGEST_DEVICE = 300


class LoginRequest(Body):
    model_config = body_examples({"username": "asha", "password": "a long sentence"})

    username: Username
    password: Annotated[str, Field(min_length=1, max_length=LONGEST_PASSWORD)]


def _chosen(body: Any) -> Any:
    """Validates the body as the step that it is, so that an error names the fields of that step only."""
    sent = body if isinstance(body, dict) else {}
    step = next((step for name, step in _STEPS.items() if name in sent), LoginRequest)
    return step.model_validate(body)


_STEPS: dict[str, type[BaseModel]] = {"code": CodeLogin, "passkey": PasskeyLogin, "begin": PasskeyStart}
LoginStep = Annotated[LoginRequest | CodeLogin | PasskeyLogin | PasskeyStart, BeforeValidator(_chosen)]

_ME: dict[str, Any] = {
    "username": "asha",
    "role": "reviewer",
    "permissions": ["claims.read", "claims.accept"],
    "hasFactor": True,
    "mustEnrol": False,
}


class Me(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [_ME]})

    username: str
    role: Role
    permissions: list[str]
    hasFactor: bool  # noqa: N815 - its name in JSON
    mustEnrol: Annotated[  # noqa: N815 - its name in JSON
        bool, Field(description="A second factor is required, and until there is one only My account works.")
    ]


class LoginAnswer(Me):
    model_config = ConfigDict(json_schema_extra={"examples": [{"token": "kq2Zt9bWc0pXy7Lr4uVn", **_ME}]})

    token: str


@login_router.post(
    LOGIN_PATH,
    summary="Open a session",
    description=(
        "An admin with a second factor gets 401 `second_factor_needed` for the right password, with `challenge` and "
        "`needs` (`totp`, `passkey`, `recovery`) among its fields. The second call sends the challenge with a `code`, "
        'or with a `passkey` that has signed it, and gets the token. `{"begin": "passkey"}` gets such a challenge '
        "without a password, for a login by passkey alone."
    ),
    responses=errors(401, 403, 429),
)
async def log_in(asked: LoginStep, request: Request, response: Response) -> LoginAnswer:
    await refuse_elsewhere(request, asked.username if isinstance(asked, LoginRequest) else "")
    database, settings = get_database(request), get_settings(request)
    caller: dict[str, Any] = {
        "address": client_address(request, settings.trusted_proxies),
        "device_mark": request.cookies.get(DEVICE_COOKIE, ""),
        "device": _device(request),
    }
    match asked:
        case LoginRequest():
            guess = login.Guess(username=asked.username, password=asked.password, **caller)
            # Clients take turns by network, so that a flood from one does not block the others.
            wait_with_network(request)
            is_known = await login.is_from_known_device(database, guess.device_mark)
            lane: Lane = request.app.state.known_logins if is_known else request.app.state.logins
            async with lane.turn():
                admin, session = await login.log_in(database, settings, guess)
        case CodeLogin():
            admin, session = await log_in_with_code(database, settings, login.Caller(**caller), asked)
        case PasskeyLogin():
            origin = public_origin(request)
            admin, session = await log_in_with_passkey(database, settings, login.Caller(**caller), asked, origin)
        case PasskeyStart():
            raise await start_passkey_login(database, login.Caller(**caller))
    if session.device_mark is not None:
        response.set_cookie(
            DEVICE_COOKIE,
            session.device_mark,
            max_age=int(KEEP_DEVICES.total_seconds()),
            path=LOGIN_PATH,
            httponly=True,
            samesite="strict",
            secure=public_origin(request).startswith("https://"),
        )
    must_enrol = not admin.has_factor and await database.read(is_factor_required)
    return LoginAnswer(token=session.token, **_shown(admin, must_enrol=must_enrol))


@router.get("/me", summary="The admin of this session")
async def read_me(admin: CurrentAdmin, request: Request) -> Me:
    return Me(**_shown(admin, must_enrol=request.state.must_enrol))


@router.post("/logout", status_code=204, summary="End this session")
async def log_out(admin: CurrentAdmin, actor: ActingAdmin, token: SentToken, request: Request) -> None:
    await get_database(request).write(lambda transaction: end_session(transaction, actor, admin, token))


def _shown(admin: Admin, *, must_enrol: bool) -> dict[str, Any]:
    return {
        "username": admin.username,
        "role": admin.role,
        "permissions": permissions_of(admin.role),
        "hasFactor": admin.has_factor,
        "mustEnrol": must_enrol,
    }


def _device(request: Request) -> str | None:
    """The browser as it names itself."""
    named = request.headers.get("user-agent", "")
    return "".join(each if each.isprintable() else "?" for each in named[:LONGEST_DEVICE]) or None
