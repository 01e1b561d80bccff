"""Middleware around every request: a request id, security headers, one log line, and a response for every failure."""

import secrets
import time
from collections.abc import Hashable, Mapping

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from countinghouse.core.http.answers import internal_error
from countinghouse.core.lanes import current_caller
from countinghouse.core.logs import logs_requests, request_id

log = structlog.get_logger()

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
    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self.app = app
        # Checked once, because the check is slow.
        self.logs_requests = logs_requests()
        # Encoded once, not for each response.
        self.headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        identity = secrets.token_hex(8)
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
                headers += [header for header in self.headers if header[0] not in present]
                added: Mapping[str, str] = inner_scope.get("state", {}).get(_ANSWER_HEADERS, {})
                headers += [(name.lower().encode(), value.encode()) for name, value in added.items()]
                message = {**message, "headers": [*headers, (b"x-request-id", identity.encode())]}
            elif is_head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        token = request_id.set(identity)
        caller_token = current_caller.set(_caller(scope))
        try:
            await self.app(inner_scope, receive, send_guarded)
        finally:
            if self.logs_requests:
                log.info(
                    "request",
                    method=scope["method"],
                    path=scope["path"],
                    status=status,
                    ms=round((time.perf_counter() - started_at) * 1000, 1),
                    peer=scope["client"][0] if scope.get("client") else None,
                )
            current_caller.reset(caller_token)
            request_id.reset(token)
        return None


def _caller(scope: Scope) -> Hashable:
    """Requests with the same token share turns in a lane. Without a token, the peer's address is used."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            return hash(value)
    return scope["client"][0] if scope.get("client") else None


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
            log.exception("request_failed", method=scope["method"], path=scope["path"])
            if has_begun:
                # Part of the response has been sent. Breaking the connection shows the client that it is incomplete.
                raise
            await internal_error()(scope, receive, send)
