"""Middleware around every request: a request id, security headers, one log line, and a response for every failure."""

import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping

import structlog
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from countinghouse.core.http.answers import ERROR_CODE, SENTENCES, error_answer, internal_error
from countinghouse.core.http.callers import Callers
from countinghouse.core.lanes import current_caller
from countinghouse.core.logs import add_facts, log_event, logs_requests, request_id

log = structlog.get_logger()

# Ids that a client or a proxy gives a request are kept. Others could be used to write anything into the log.
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
# W3C Trace Context; an id of zeros only is not one.
_TRACE_PARENT = re.compile(rb"[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")

# Browsers send fewer. They are parsed for each request.
MOST_COOKIES = 200
MOST_COOKIE_BYTES = 8 * 1024
# Longer than any that we set. One with other characters is not ours.
_COOKIE_VALUE = rb"[A-Za-z0-9_-]{1,200}"

# The key in the request's state of who is calling, for the log: set by the checks of a route.
ACTOR_NAME = "actor_name"

Header = tuple[bytes, bytes]
# Method, route template, status, seconds, error code.
Observe = Callable[[str, str, int, float, str | None], None]

API_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"


def page_policy(image_origin: str = "") -> str:
    """The page may load its own files, and show our images and the image file that was just chosen; nothing else."""
    images = " ".join(filter(None, ("'self'", "blob:", image_origin)))
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            f"img-src {images}",
            "font-src 'self'",
            "connect-src 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
            # Without allow-modals, browsers do not warn before leaving a page with unsaved work.
            "sandbox allow-scripts allow-same-origin allow-forms allow-downloads allow-modals",
        )
    )


def security_headers(is_https: bool) -> dict[str, str]:
    headers = {
        "Content-Security-Policy": API_POLICY,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        "Cache-Control": "no-store",
    }
    if is_https:
        headers["Strict-Transport-Security"] = "max-age=31536000; includeSubDomains"
    return headers


_ANSWER_HEADERS = "answer_headers"


def add_answer_headers(scope: Scope, headers: Mapping[str, str]) -> None:
    """For headers that the answer to this request carries whatever it becomes, an error included."""
    scope.setdefault("state", {})[_ANSWER_HEADERS] = headers


class Edge:
    def __init__(
        self, app: ASGIApp, headers: Mapping[str, str], callers: Callers, cookie: str, observe: Observe | None = None
    ) -> None:
        """`cookie` is the only one that the application gets to see: others would be parsed for each request, and
        decoding the escapes in one takes 10 ms."""
        self.app = app
        self.callers = callers
        self.observe = observe
        self.our_cookie = re.compile(rb"(?:^|;) *(" + cookie.encode() + rb"=" + _COOKIE_VALUE + rb") *(?=;|$)")
        # Checked once, because the check is slow.
        self.logs_requests = logs_requests()
        # Encoded once, not for each response.
        self.headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        self.header_names = frozenset(name for name, _ in self.headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        hosts, cookies, authorization, identity, trace = _read_headers(scope)
        has_few_cookies = _are_few(cookies)
        if cookies and has_few_cookies:
            scope = {**scope, "headers": self._with_our_cookie(scope["headers"], cookies)}
        # Every URL that supports GET supports HEAD: handled as GET, without sending the body.
        is_head = scope["method"] == "HEAD"
        inner_scope = {**scope, "method": "GET", "is_head": True} if is_head else scope
        status = 0
        started_at = time.perf_counter()

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
                headers = list(message.get("headers", ()))
                present = {name.lower() for name, _ in headers}
                is_usual = self.header_names.isdisjoint(present)
                headers += self.headers if is_usual else [one for one in self.headers if one[0] not in present]
                added: Mapping[str, str] | None = inner_scope.get("state", {}).get(_ANSWER_HEADERS)
                if added is not None:
                    headers += [(name.lower().encode(), value.encode()) for name, value in added.items()]
                headers.append((b"x-request-id", identity.encode()))
                message = {**message, "headers": headers}
            elif is_head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        token = request_id.set(identity)
        caller_token = current_caller.set(self.callers.find(scope, authorization))
        try:
            has_one_host = hosts == 1 or (hosts == 0 and scope.get("http_version") == "1.0")
            app = self.app if has_one_host else _refuse_host
            await (app if has_few_cookies else _refuse_cookies)(inner_scope, receive, send_guarded)
        finally:
            seconds = time.perf_counter() - started_at
            code = inner_scope.get("state", {}).get(ERROR_CODE)
            if self.observe is not None:
                self.observe(scope["method"], route_template(inner_scope), status, seconds, code)
            if self.logs_requests:
                _log_request(inner_scope, scope["method"], status, seconds, code, trace)
            current_caller.reset(caller_token)
            request_id.reset(token)
        return None

    def _with_our_cookie(self, headers: Iterable[Header], cookies: list[bytes]) -> list[Header]:
        ours = [found for each in cookies for found in self.our_cookie.findall(each)]
        kept = [(name, value) for name, value in headers if name != b"cookie"]
        return [*kept, (b"cookie", ours[-1])] if ours else kept


def _are_few(cookies: list[bytes]) -> bool:
    if sum(map(len, cookies)) > MOST_COOKIE_BYTES:
        return False
    return sum(each.count(b";") + 1 for each in cookies) <= MOST_COOKIES


def _log_request(scope: Scope, method: str, status: int, seconds: float, code: str | None, trace: str | None) -> None:
    # The route and not the path, which may contain a phone number, or the key of an image.
    event = {"event": "request", "method": method, "route": route_template(scope), "status": status}
    event["ms"] = round(seconds * 1000, 1)
    event["peer"] = scope["client"][0] if scope.get("client") else None
    if (actor := scope.get("state", {}).get(ACTOR_NAME)) is not None:
        event["by"] = actor
    if code is not None:
        event["error"] = code
    if trace is not None:
        event["trace_id"] = trace
    log_event(add_facts(None, "info", event))


def route_template(scope: Mapping[str, object]) -> str:
    """Such as /api/claims/{claim_id}; the app has a fixed number of them."""
    route = scope.get("route")
    return route.path if isinstance(route, Route) else "none"


def _read_headers(scope: Scope) -> tuple[int, list[bytes], bytes | None, str, str | None]:
    """The number of Host headers, the Cookie and Authorization headers, the id of the request and of its trace.

    There must be one Host: links are built from it, and a proxy could have checked another one than we use.
    """
    cookies: list[bytes] = []
    hosts, authorization, sent, trace = 0, None, None, None
    for name, value in scope["headers"]:
        if name == b"host":
            hosts += 1
        elif name == b"authorization":
            authorization = authorization or value
        elif name == b"x-request-id":
            sent = value.decode() if _REQUEST_ID.fullmatch(value) else None
        elif name == b"traceparent":
            found = _TRACE_PARENT.fullmatch(value)
            trace = found[1].decode() if found else None
        elif name == b"cookie":
            cookies.append(value)
    return hosts, cookies, authorization, sent or trace or secrets.token_hex(8), trace


async def _refuse_host(scope: Scope, receive: Receive, send: Send) -> None:
    answer = error_answer(400, "one_host_required", "Send exactly one Host header.", headers={"Connection": "close"})
    await answer(scope, receive, send)


async def _refuse_cookies(scope: Scope, receive: Receive, send: Send) -> None:
    sentence = "Your browser sends too many or too long cookies. Delete those of this address."
    answer = error_answer(431, SENTENCES[431][0], sentence, headers={"Connection": "close"})
    await answer(scope, receive, send)


def raw_answer(status: int, code: str, sentence: str, headers: dict[str, str] | None = None) -> bytes:
    """An error response that is sent without calling the application."""
    extra = security_headers(is_https=False) | (headers or {}) | {"Connection": "close"}
    answer = error_answer(status, code, sentence, headers=extra)
    lines = [name + b": " + value + b"\r\n" for name, value in answer.raw_headers]
    return b"".join((STATUS_LINE[status], *lines, b"\r\n", bytes(answer.body)))


class LastResort:
    """Answers unexpected exceptions. Runs inside the middleware that adds headers, so that a 500 has them too."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def send_noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        except Exception:
            if scope["type"] != "http":
                raise
            log.exception("request_failed", method=scope["method"], route=route_template(scope))
            if has_begun:
                # Part of the response has been sent. Breaking the connection shows the client that it is incomplete.
                raise
            await internal_error()(scope, receive, send)
