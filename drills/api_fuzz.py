"""schemathesis calls every operation that the server describes, with valid and invalid requests.

Every answer must be described, and none may be a server error. No operation is left out: those that end the session or
lock the owner out cost the next request, and then the owner is let in again.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import httpx2
import schemathesis
from requests import PreparedRequest
from requests.auth import AuthBase
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import Status, from_schema
from schemathesis.engine.events import NonFatalError, ScenarioFinished
from sqlalchemy import delete, insert, update

from countinghouse.admins.passwords import hash_password
from countinghouse.admins.tables import admins, sessions
from countinghouse.core.ids import new_id
from countinghouse.core.secrets import hash_secret
from countinghouse.core.times import now
from countinghouse.keys.queries import KEY_PREFIX, LENGTH, SCOPES
from countinghouse.keys.tables import api_keys
from countinghouse.policy.tables import policy_rules
from drills.offline_server import go_offline
from drills.picture_flood import honest_code
from drills.rows import add_claims
from tests.databases import PASSWORD
from tests.direct_database import DirectDatabase
from tests.intake.pushing import a_claim, a_purchase, a_user
from tests.servers import Server, started_server

SEED = 1
# Boundary values of every parameter, one request each. `fuzzing` draws requests at random.
SYSTEMATIC = ("examples", "coverage")
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "allow_header_conformance",
)
# What the server logs when a handler fails, even if part of the answer was sent already.
FAILED = "request_failed"
CLAIMS = 40
# What the short form draws only at random: each has the fields of another operation, and reads them by the same code.
_LIKE_ANOTHER = (
    r"/totals$|^/api/(purchases/all|users|audit)$"
    r"|^/api/intake/(users|purchases)$|/step-up$|/imports/\{import_id\}/plan$|/account/passkeys$"
)


@dataclass
class Fuzzed:
    cases: int = 0
    answers: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    faults: list[str] = field(default_factory=list)

    @property
    def accepted(self) -> int:
        """How many operations accepted a request. One that refuses everything is hardly tested."""
        return sum(any(200 <= status < 300 for status in statuses) for statuses in self.answers.values())


def fuzz_api(database_url: str, *, cases_of_each: int, is_short: bool = False) -> Fuzzed:
    """`cases_of_each` operation are drawn at random. The short form tries the boundary values of a list's filters, of
    the intake, of a login and of an import on one operation each, and no methods that an address does not have:
    tests/contract/test_methods_of_an_address.py tries all of them."""
    settings: dict[str, Any] = {"COUNTINGHOUSE_LOG_LEVEL": "warning"}
    with started_server(database_url, program=go_offline, **settings) as server, _owner(database_url) as owner:
        found = Fuzzed()
        ids, description = _prepare(server, owner)
        config = _config(server.url, cases_of_each, ids, is_short=is_short)
        schema = schemathesis.openapi.from_dict(description, config=config)
        schema.auth.set_from_requests(owner)

        @schema.hook
        def after_call(_context: Any, case: Any, response: Any) -> None:
            found.answers[case.operation.label][response.status_code] += 1
            if response.status_code in (401, 403):
                owner.come_back()

        for event in from_schema(schema).execute():
            _take(event, found)
        if FAILED in server.said():
            found.faults.append(f"The server logged {FAILED}: {server.said().partition(FAILED)[2][:3000]}")
    uncalled = {f"{method.upper()} {path}" for path, calls in description["paths"].items() for method in calls}
    found.faults += [f"{label} was never called." for label in sorted(uncalled - set(found.answers))]
    return found


def _config(url: str, cases_of_each: int, ids: dict[str, list[str]], *, is_short: bool) -> SchemathesisConfig:
    """As in a `schemathesis.toml`."""
    only_at_random = {"include-path-regex": _LIKE_ANOTHER, "phases": {"coverage": {"enabled": False}}}
    phases: dict[str, dict[str, Any]] = {name: {"enabled": True} for name in (*SYSTEMATIC, "fuzzing")}
    if is_short:
        phases["coverage"]["unexpected-methods"] = []
    return SchemathesisConfig.from_dict(
        {
            "seed": SEED,
            "base-url": url,
            "continue-on-failure": True,
            # Beside other tests a server may be slow; what matters here is what it answers.
            "request-timeout": 120,
            "suppress-health-check": ["all"],
            # The live stream never ends.
            "max-stream-events": 1,
            "cache": {"enabled": False},
            "generation": {
                "allow-x00": True,
                "max-examples": cases_of_each,
                "no-shrink": True,
                "database": "none",
                "with-security-parameters": False,
            },
            "checks": {"enabled": False} | {name: {"enabled": True} for name in CHECKS},
            "phases": {"enabled": False} | phases,
            "operations": [only_at_random] if is_short else [],
            "dictionaries": {name: {"values": values} for name, values in ids.items()},
            "parameters": {f"path.{name}": {"dictionary": name, "probability": 0.5} for name in ids},
        }
    )


def _take(event: Any, found: Fuzzed) -> None:
    if isinstance(event, NonFatalError):
        found.faults.append(f"{event.label}: {event.value!r}")
    if isinstance(event, ScenarioFinished):
        found.cases += len(event.recorder.interactions)
        for checks in event.recorder.checks.values():
            for check in checks:
                if check.status != Status.SUCCESS:
                    failure = check.failure_info
                    reason = "it could not be checked"
                    if failure is not None:
                        reason = f"{failure.failure.message}\n    {failure.code_sample}"
                    found.faults.append(f"{event.recorder.label}: {check.name}: {reason}")


def _prepare(server: Server, owner: "Owner") -> tuple[dict[str, list[str]], dict[str, Any]]:
    """Rows of every kind that schemathesis could not make itself. Returns their ids, and the description of the API."""
    with httpx2.Client(base_url=server.url, timeout=60) as client:

        def send(method: str, path: str, key: str = owner.token, **more: Any) -> Any:
            headers = {"Authorization": f"Bearer {key}"} | more.pop("headers", {})
            answer = client.request(method, path, headers=headers, **more)
            assert answer.is_success, answer.text
            return answer.json() if answer.content else None

        claims = add_claims(owner.database, CLAIMS)
        for noun, row in (("users", a_user()), ("purchases", a_purchase()), ("claims", a_claim())):
            send("POST", f"/api/intake/{noun}", owner.key, json=[row], headers={"Idempotency-Key": noun})
        codes = [
            send(
                "POST", "/api/qr/upload", data={"name": name, "upiId": "desk1@okbank"}, files={"qrImage": honest_code()}
            )
            for name in ("Desk 1", "Desk 2", "Desk 3")
        ]
        batches = [
            send("POST", "/api/batches", json={"claims": [{"_id": each, "version": 0}], "status": "Accepted"})
            for each in claims[:3]
        ]
        files = {"users.csv": b"_id,username,mobile\n1,Asha,9805756092\n"}
        sizes = [{"name": name, "size": len(content)} for name, content in files.items()]
        imports = [send("POST", "/api/imports", json={"files": sizes}) for _ in range(3)]
        for each in imports:
            for number, content in enumerate(files.values()):
                send("PUT", f"/api/imports/parts?import={each['_id']}&number={number}", content=content)
        ids = {
            "claim_id": claims[:5],
            "qr_id": [code["_id"] for code in codes],
            "batch_id": [batch["_id"] for batch in batches],
            "import_id": [each["_id"] for each in imports],
            "external_id": ["u-1", "c-1"],
            "ifsc": ["HDFC0001234"],
        }
        return ids, send("GET", "/api/openapi.json")


@contextmanager
def _owner(database_url: str) -> Iterator["Owner"]:
    database = DirectDatabase(database_url)
    try:
        yield Owner(database)
    finally:
        database.close()


class Owner(AuthBase):
    """Whoever calls: an owner's session, and an API key for the intake. requests uses it to authenticate each call."""

    def __init__(self, database: DirectDatabase) -> None:
        self.database = database
        self.admin_id, self.token, self.calls = new_id(), "", 0
        self.key = KEY_PREFIX + "k" * (LENGTH - len(KEY_PREFIX))
        name, at = "fuzzer", now()
        admin = {"id": self.admin_id, "username": name, "username_key": name, "created_at": at}
        key = {"id": new_id(), "name": name, "name_key": name, "created_at": at, "created_by": "command"}
        key |= {"prefix": KEY_PREFIX, "scopes": " ".join(SCOPES), "networks": ""}
        with database.writing() as connection:
            connection.execute(insert(admins).values(admin | {"password_hash": hash_password(PASSWORD)}))
            connection.execute(insert(api_keys).values(key | {"key_hash": hash_secret(self.key)}))
        self.come_back()

    def come_back(self) -> None:
        """Undoes whatever may have locked the owner or the key out, and opens a new session."""
        at, self.token = now(), new_id()
        session = {
            "token_hash": hash_secret(self.token),
            "admin_id": self.admin_id,
            "created_at": at,
            "last_seen_at": at,
        }
        with self.database.writing() as connection:
            myself = update(admins).where(admins.c.id == self.admin_id)
            connection.execute(myself.values(role="owner", disabled_at=None))
            connection.execute(delete(policy_rules))
            connection.execute(update(api_keys).values(revoked_at=None, revoked_by=None))
            connection.execute(insert(sessions).values(session | {"expires_at": at + timedelta(hours=12)}))

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        self.calls += 1
        # Open without a token, and then the answer has other fields.
        if request.path_url != "/api/qr" or self.calls % 2:
            is_intake = request.path_url.startswith("/api/intake/")
            request.headers["Authorization"] = f"Bearer {self.key if is_intake else self.token}"
        return request
