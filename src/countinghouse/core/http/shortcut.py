"""A shortcut for list pages, the most frequent request: it answers them before FastAPI is called.

It only answers with success. Any unusual request is passed on to FastAPI, even one whose session only needs a new
last-seen time. FastAPI makes every refusal, so both accept the same requests (docs/decisions/0007).
"""

import sqlite3
from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol
from urllib.parse import parse_qsl

import psycopg
import structlog
from pydantic import ValidationError
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from countinghouse.core.database import Database
from countinghouse.core.errors import Busy, Refusal
from countinghouse.core.http.answers import database_failed, refused
from countinghouse.core.http.origins import origin_for
from countinghouse.core.http.pages import PageAnswer
from countinghouse.core.listing import Listing, ListQuery
from countinghouse.core.listing.pages import Page, cost_of_page, read_page
from countinghouse.core.quick import Reader
from countinghouse.settings import Settings

log = structlog.get_logger()

_BEARER = "bearer "

# Limits of the cache of parsed queries, because anybody can send different ones.
MOST_QUERIES = 500
LONGEST_QUERY = 200

# A request with a body is passed on, because the size of the body is checked there.
_OF_A_BODY = frozenset((b"content-length", b"transfer-encoding"))


class IsWelcome(Protocol):
    """Whether the session of this token is valid and its last-seen time is recent."""

    def __call__(self, reader: Reader, *, token: str) -> bool: ...


class Shortcut:
    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        database: Database,
        lists: Mapping[str, tuple[Listing, type[ListQuery]]],
        is_welcome: IsWelcome,
    ) -> None:
        self.app = app
        self.settings = settings
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
                # Not passed on: a request that has waited for a lock should not wait a second time.
                return await database_failed(request, error)(scope, receive, send)
            except Busy as error:
                return await refused(request, error)(scope, receive, send)
            if page is not None:
                answer = PageAnswer(request, page, origin_for(request, self.settings))
                return await answer(scope, receive, send)
        return await self.app(scope, receive, send)

    async def _read(self, request: Request, listing: Listing, query: type[ListQuery]) -> Page | None:
        token = _sent_token(request)
        asked = _asked(request.scope["query_string"], query)
        has_body = not _OF_A_BODY.isdisjoint(dict(request.scope["headers"]))
        if token is None or asked is None or asked.limit is None or has_body:
            return None
        try:
            return await self.database.quick.read_if(
                lambda reader: self.is_welcome(reader, token=token),
                lambda reader: read_page(listing, reader, asked),
                cost_of_page(listing, asked),
            )
        except Busy:
            raise
        except Refusal:
            return None
        except (psycopg.OperationalError, sqlite3.OperationalError):
            raise
        except Exception:
            # A bug. FastAPI answers it with a 500.
            log.exception("short_way_failed", path=request.scope["path"])
            return None


def _sent_token(request: Request) -> str | None:
    sent = request.headers.get("authorization", "")
    return sent[len(_BEARER) :] if sent[: len(_BEARER)].lower() == _BEARER else None


def _asked(query_string: bytes, query: type[ListQuery]) -> ListQuery | None:
    read = _read_query if len(query_string) <= LONGEST_QUERY else _read_query.__wrapped__
    return read(query_string, query)


@lru_cache(MOST_QUERIES)
def _read_query(query_string: bytes, query: type[ListQuery]) -> ListQuery | None:
    try:
        pairs = parse_qsl(query_string.decode("ascii"), keep_blank_values=True)
        return query.model_validate(dict(pairs)) if len(dict(pairs)) == len(pairs) else None
    except (UnicodeDecodeError, ValidationError):
        return None
