from typing import Annotated, cast

from fastapi import Request, Response
from pydantic import BaseModel, ConfigDict, Field

from countinghouse.admins import login
from countinghouse.admins.actions import KEEP_DEVICES, end_session
from countinghouse.admins.dependencies import ActingAdmin, CurrentAdmin, SentToken, desk_router
from countinghouse.admins.passwords import LONGEST_PASSWORD
from countinghouse.admins.queries import Username
from countinghouse.core.http.answers import errors
from countinghouse.core.http.requests import client_address, get_database, get_settings, public_origin
from countinghouse.core.http.routers import INVALID, open_router
from countinghouse.core.lanes import Lane, current_caller

DEVICE_COOKIE = "countinghouse_device"
LOGIN_PATH = "/api/admin/login"

login_router = open_router("", "admins", responses=INVALID)
router = desk_router("/api/admin", "admins")


class LoginRequest(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"username": "asha", "password": "a long sentence"}]})

    username: Username
    password: Annotated[str, Field(min_length=1, max_length=LONGEST_PASSWORD)]


class LoginAnswer(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"token": "kq2Zt9bWc0pXy7Lr4uVn", "username": "asha"}]})

    token: str
    username: str


class Me(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"username": "asha"}]})

    username: str


@login_router.post(
    LOGIN_PATH,
    summary="Open a session",
    responses=errors(401, 429, 503),
)
async def log_in(asked: LoginRequest, request: Request, response: Response) -> LoginAnswer:
    settings = get_settings(request)
    guess = login.Guess(
        username=asked.username,
        password=asked.password,
        address=client_address(request, settings.trusted_proxies),
        device_mark=request.cookies.get(DEVICE_COOKIE, ""),
    )
    # Clients take turns by address, so that a flood from one address does not block the others.
    current_caller.set(str(guess.address))
    async with cast(Lane, request.app.state.logins).turn():
        username, session = await login.log_in(get_database(request), settings, guess)
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
    return LoginAnswer(token=session.token, username=username)


@router.get("/me", summary="The admin of this session")
async def read_me(admin: CurrentAdmin) -> Me:
    return Me(username=admin.username)


@router.post("/logout", status_code=204, summary="End this session")
async def log_out(admin: CurrentAdmin, actor: ActingAdmin, token: SentToken, request: Request) -> None:
    await get_database(request).write(lambda transaction: end_session(transaction, actor, admin, token))
