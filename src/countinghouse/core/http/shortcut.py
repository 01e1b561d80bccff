"""The short way to a page: most of what a desk asks for, past the framework's own machinery.

It only ever says yes. A request that is unusual in any way, down to a session that is due to be marked as seen, goes
the long way, where every refusal is made; so the two cannot come to differ in what they let in (docs/decisions/0007).
"""

import sqlite3
from collections.abc import Mapping
from typing import Protocol
from urllib.parse import parse_qsl

import psycopg
from pydantic import ValidationError
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from countinghouse.core.database import Database
from countinghouse.core.errors import Refusal
from countinghouse.core.http.answers import database_failed
from countinghouse.core.http.pages import page_answer
from countinghouse.core.listing import Listing, ListQuery
from countinghouse.core.listing.pages import Page, may_take_long, read_page
from countinghouse.core.quick import Look

_BEARER = "bearer "


class IsWelcome(Protocol):
    """Whether this token may come in without further ado."""

    def __call__(self, look: Look, *, token: str) -> bool: ...


class Shortcut:
    def __init__(
        self,
        app: ASGIApp,
        database: Database,
        lists: Mapping[str, tuple[Listing, type[ListQuery]]],
        is_welcome: IsWelcome,
    ) -> None:
        self.app = app
        self.database = database
        self.lists = lists
        self.is_welcome = is_welcome

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self.lists.get(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        if found is not None:
            request = Request(scope)
            try:
                page = await self._read(request, *found)
            except (psycopg.OperationalError, sqlite3.OperationalError) as error:
                # Not the long way: who has waited for a lock once need not wait a second time.
                return await database_failed(request, error)(scope, receive, send)
            if page is not None:
                return await page_answer(request, page)(scope, receive, send)
        return await self.app(scope, receive, send)

    async def _read(self, request: Request, listing: Listing, query: type[ListQuery]) -> Page | None:
        token = _sent_token(request)
        asked = _asked(request, query)
        if token is None or asked is None or asked.limit is None:
            return None

        def read(look: Look) -> Page | None:
            return read_page(listing, look, asked) if self.is_welcome(look, token=token) else None

        try:
            return await self.database.quick.read(read, may_take_long=may_take_long(listing, asked))
        except Refusal:
            return None


def _sent_token(request: Request) -> str | None:
    sent = request.headers.get("authorization", "")
    return sent[len(_BEARER) :] if sent[: len(_BEARER)].lower() == _BEARER else None


def _asked(request: Request, query: type[ListQuery]) -> ListQuery | None:
    try:
        pairs = parse_qsl(request.scope["query_string"].decode("ascii"), keep_blank_values=True)
        return query.model_validate(dict(pairs)) if len(dict(pairs)) == len(pairs) else None
    except (UnicodeDecodeError, ValidationError):
        return None
