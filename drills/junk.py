"""Requests that cost the sender nothing and a careless server much: other callers get their pages meanwhile."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from countinghouse.admins.routes import LOGIN_PATH
from drills.bystander import Bystander
from drills.clients import ask
from drills.junk_sender import OPEN
from tests.servers import Server

# The program's key may call as often as it likes.
SETTINGS: dict[str, Any] = {"COUNTINGHOUSE_KEY_CALLS_PER_MINUTE": "100000", "COUNTINGHOUSE_LOG_LEVEL": "warning"}

# What everybody else is promised while junk arrives, on a quiet machine.
UNDISTURBED_SECONDS = 0.5
CONNECTIONS = (16, 64)
_PAGE = "/api/claims/all?limit=20"
# These answers refuse it: nothing in it may succeed, and nothing may fail on the server.
_REFUSALS = {400, 401, 403, 404, 413, 414, 422, 429, 431, 503}


@dataclass(frozen=True, slots=True)
class Junk:
    name: str
    request: bytes
    # Statuses besides those of refusals.
    also: frozenset[int] = frozenset()


@dataclass
class Outcome:
    kind: str
    connections: int
    answers: Counter[int]
    slowest_seconds: float

    def __str__(self) -> str:
        return f"{self.kind} by {self.connections}: {dict(self.answers)}, others within {self.slowest_seconds:.2f} s"


@dataclass
class Junked:
    outcomes: list[Outcome] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def slowest(self) -> Outcome:
        return max(self.outcomes, key=lambda outcome: outcome.slowest_seconds)

    def __str__(self) -> str:
        sent = sum(outcome.answers.total() for outcome in self.outcomes)
        return f"{sent:,} junk requests of {len({each.kind for each in self.outcomes})} kinds: {self.slowest}"


def kinds(token: str, key: str) -> list[Junk]:
    """`token` is of an admin, `key` of a program that may push rows."""
    return [*_without_a_token(), *_of_an_admin(token), *_of_a_program(key)]


def _without_a_token() -> Iterator[Junk]:
    for path in (LOGIN_PATH, "/api/invitations/open", "/api/invitations/accept"):
        yield _posted(f"short lists to {path}", path, _lists(3_900))
    yield _posted("lists", LOGIN_PATH, _lists(58_000))
    yield _posted("objects", LOGIN_PATH, _repeated(b"{}", 58_000))
    yield _posted("fields", LOGIN_PATH, _fields(58_000))
    yield _posted("depth", LOGIN_PATH, b"[" * 900 + b"]" * 900)
    yield _posted("a passkey of lists", LOGIN_PATH, b'{"challenge": "a", "passkey": {"id": ' + _lists(58_000) + b"}}")
    yield _posted("texts", LOGIN_PATH, _repeated(b'""', 58_000))
    yield _posted("escapes", LOGIN_PATH, b'{"username": "' + rb"\\\"" * 14_000 + b'"}')
    yield _got("query", "/healthz?" + "a&" * 30_000)
    yield _got("query of a list", f"{_PAGE}&" + "".join(f"f{number}=1&" for number in range(6_000)))
    yield _got("query just within the limits", "/healthz?" + f"{'a' * 39}&" * 199)
    yield _got("percent signs", "/healthz?" + "%41" * 20_000)
    yield _got("path", "/api" + "/a" * 30_000)
    yield _got("screen", "/" + "a/" * 30_000)
    yield _got("cookies just within the limits", "/healthz", b"Cookie: " + b"a=%41;" * 199)
    yield _got("escapes in a cookie", "/api/qr", b'Cookie: a="' + rb"\101" * 15_000 + b'"')
    yield _got("escapes in a cookie just within the limits", "/api/qr", b'Cookie: a="' + rb"\101" * 2_000 + b'"')
    yield _got("cookies", "/healthz", b"Cookie: " + b"a;" * 30_000)
    yield _posted("cookies of a login", LOGIN_PATH, b"{}", b"Cookie: " + b"a=b;" * 15_000)
    yield _got("codings", "/", b"Accept-Encoding: " + b"a," * 30_000)
    yield _got("addresses", "/api/qr", b"X-Forwarded-For: " + b"1," * 30_000)
    yield _got("headers", "/healthz", *(b"X-%d: " % number + b"x" * 300 for number in range(190)))
    chunked, tiny = b"Transfer-Encoding: chunked", b"1\r\n \r\n"
    for name, body in (
        ("tiny chunks", tiny * 300_000),
        ("as many tiny chunks as a password has bytes", tiny * 1_000 + b"0\r\n\r\n"),
        ("tiny chunks just within the limits", tiny * 250 + b"0\r\n\r\n"),
        ("trailers", b"0\r\n" + b"a:\r\n" * 30_000 + b"\r\n"),
    ):
        yield Junk(name, _head(f"POST {LOGIN_PATH}", b"Content-Type: application/json", chunked) + body)
    yield _got("tiny chunks of a request without a body", "/healthz", chunked, body=tiny * 300_000)
    yield _posted("media type", LOGIN_PATH, b"{}", b"Content-Type: a/b" + b";a=b" * 15_000)


def _of_an_admin(token: str) -> Iterator[Junk]:
    by = b"Authorization: Bearer " + token.encode()
    megabyte = 1024 * 1024 - 1_000
    for path in ("/api/batches", "/api/batches/confirm"):
        yield _posted(f"lists to {path}", path, _lists(megabyte), by)
    yield _posted("claims", "/api/batches", b'{"claims": ' + _lists(megabyte) + b"}", by)
    ids = b'{"claims": ' + _repeated(b'{"_id":"' + b"0" * 24 + b'","version":1}', 18_000 * 47) + b"}"
    yield _posted("claims just within the limits", "/api/batches", ids, by)
    yield _posted("references", "/api/batches/confirm", b'{"references": ' + _fields(megabyte) + b"}", by)
    yield _posted("texts to /api/batches", "/api/batches", _repeated(b'""', megabyte), by)
    yield _posted("escapes to /api/batches", "/api/batches", b'{"reason": "' + rb"\\\"" * 260_000 + b'"}', by)
    yield _posted("filters", "/api/exports", b'{"query": ' + _fields(60_000) + b"}", by)
    yield _posted(
        "a map", "/api/imports/6917e2f4a1b2c3d4e5000007/plan", b'{"collections": ' + _fields(60_000) + b"}", by
    )
    yield _got("unknown fields", f"{_PAGE}&" + "".join(f"f{number}=1&" for number in range(6_000)), by)
    form = b"Content-Type: multipart/form-data; boundary=edge"
    part = b'--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
    yield _posted("form", "/api/qr/read", part * 60_000 + b"--edge--\r\n", by, form)
    head = b'--edge\r\nContent-Disposition: form-data; name="a"\r\n'
    yield _posted("form of headers", "/api/qr/read", head + b"X: y\r\n" * 400_000 + b"\r\n\r\n--edge--\r\n", by, form)
    yield _posted("form of line ends", "/api/qr/read", head + b"\r\n" + b"\r\n-" * 800_000, by, form)


def _of_a_program(key: str) -> Iterator[Junk]:
    by, once = b"Authorization: Bearer " + key.encode(), b"Idempotency-Key: junk"
    two_megabytes = 2 * 1024 * 1024 - 1_000
    for name, body in (
        ("lists", _lists(two_megabytes)),
        ("rows without fields", _repeated(b"{}", two_megabytes)),
        ("rows of lists", b'[{"externalId": ' + _lists(two_megabytes) + b"}]"),
        ("lists just within the limits", _lists(29_000 * 3)),
        ("numbers", _repeated(b"1", two_megabytes)),
        ("texts", _repeated(b'""', two_megabytes)),
        ("one row of fields", _fields(two_megabytes)),
    ):
        yield _posted(f"{name} to the intake", "/api/intake/claims", body, by, once)


def _repeated(part: bytes, size: int) -> bytes:
    return b"[" + b",".join([part] * (size // (len(part) + 1))) + b"]"


def _lists(size: int) -> bytes:
    return _repeated(b"[]", size)


def _fields(size: int) -> bytes:
    return b"{" + b",".join(b'"f%06d":1' % number for number in range(size // 12)) + b"}"


def _posted(name: str, path: str, body: bytes, *headers: bytes) -> Junk:
    has_type = any(header.startswith(b"Content-Type:") for header in headers)
    kind = () if has_type else (b"Content-Type: application/json",)
    length = b"Content-Length: %d" % len(body)
    return Junk(name, _head(f"POST {path}", *headers, *kind, length) + body)


def _got(name: str, target: str, *headers: bytes, body: bytes = b"") -> Junk:
    return Junk(name, _head(f"GET {target}", *headers) + body, frozenset({200}))


def _head(line: str, *headers: bytes) -> bytes:
    return b"\r\n".join((line.encode() + b" HTTP/1.1", b"Host: desk", *headers, b"", b""))


def send_junk(
    server: Server,
    *,
    sender: str,
    bystander: str,
    seconds: float,
    slowest_seconds: float,
    connections: Sequence[int] = CONNECTIONS,
    only: str = "",
) -> Junked:
    """Each kind by so many connections, one after the other, for `seconds` each. The two are tokens of admins.

    The server was started with `SETTINGS`."""
    wish = {"name": "junk", "scopes": ["claims:write"]}
    key = str(ask(server.url, "POST", "/api/keys", token=sender, body=wish).body["key"])
    found = Junked()
    for kind in kinds(sender, key):
        for count in connections:
            if only in kind.name:
                outcome, faults = _send(server, kind, count, bystander, seconds)
                found.outcomes.append(outcome)
                found.faults += [f"{outcome}: {fault}" for fault in faults]
                if outcome.slowest_seconds > slowest_seconds:
                    found.faults.append(str(outcome))
    return found


def _send(server: Server, kind: Junk, connections: int, token: str, seconds: float) -> tuple[Outcome, list[str]]:
    words = [sys.executable, "-m", "drills.junk_sender", str(server.port), str(connections), str(seconds)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe) as sender:  # noqa: S603 - our own module
        assert sender.stdin
        assert sender.stdout
        sender.stdin.write(kind.request)
        sender.stdin.close()
        assert sender.stdout.readline() == OPEN
        with Bystander(server.url, _PAGE, token) as bystander:
            counted = Counter({int(status): count for status, count in json.load(sender.stdout).items()})
    faults = list(bystander.faults)
    if unexpected := set(counted) - _REFUSALS - kind.also:
        faults.append(f"It was answered with {sorted(unexpected)}.")
    if not counted:
        faults.append("There was no flood.")
    return Outcome(kind.name, connections, counted, bystander.slowest_seconds), faults
