"""Several admins move two claims at random, sometimes concurrently; every step is compared with the model."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import make_url

from countinghouse.audit.actions import Actor
from countinghouse.claims import actions
from countinghouse.claims.actions import MoveRequest
from countinghouse.core.db import Change, Guarded
from countinghouse.core.db.sqlite import Sqlite
from countinghouse.core.errors import Refusal
from countinghouse.core.ids import new_id
from tests.claims.move_model import ALLOWED, STATUSES, Asked, Model

ADMINS = ("asha", "ravi", "meera")
CLAIMS = 2
AT = "2026-11-15T02:52:36.120Z"

# A step is made of small values so that hypothesis can shrink a failing example. _read turns it into a request
# according to the model's current state.
STEP = st.fixed_dictionaries(
    {
        "claim": st.integers(0, CLAIMS - 1),
        "admin": st.integers(0, len(ADMINS) - 1),
        # Mostly an allowed move: otherwise a claim would rarely get far.
        "wish": st.integers(0, 19),
        "version": st.sampled_from(("none", "none", "seen", "seen", "stale")),
        "reason": st.sampled_from(("given", "given", "given", "other", "none")),
        "reference": st.sampled_from(("none", "none", "first", "first again", "new")),
        "key": st.sampled_from(("none", "none", "new", "last", "last")),
        # Send the same request again, as after a lost response.
        "is_retry": st.integers(0, 4).map(lambda number: number == 0),
        "is_outside": st.integers(0, 11).map(lambda number: number == 0),
    }
)
SCENES = st.tuples(
    st.integers(0, 3),
    st.lists(st.tuples(STEP, st.lists(STEP, max_size=2)), min_size=4, max_size=16),
)

THOROUGH = settings(
    max_examples=120,
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
# A defect only has to be found once; the example need not be shrunk.
UNTIL_SEEN = settings(THOROUGH, max_examples=400, phases=(Phase.generate,), report_multiple_bugs=False)


class Interrupted:
    """Wraps a change and runs other admins' moves between its reads and its write."""

    def __init__(self, change: Change, meanwhile: Callable[[], None]) -> None:
        self._change = change
        self._meanwhile: Callable[[], None] | None = meanwhile

    def __getattr__(self, name: str) -> Any:
        return getattr(self._change, name)

    async def guarded(self, guarded: Guarded, values: Any) -> Any:
        meanwhile, self._meanwhile = self._meanwhile, None
        if meanwhile is not None:
            meanwhile()
        return await self._change.guarded(guarded, values)


class Scene:
    """One run: two fresh claims in the database, and the model of them."""

    def __init__(self, servers: list[Sqlite], observer: sqlite3.Connection, policy: int) -> None:
        self._servers = servers
        self._observer = observer
        self._model = Model(CLAIMS, two_persons=bool(policy & 1), needs_reference=bool(policy & 2))
        self._claims = [_add_claim(self._observer) for _ in range(CLAIMS)]
        self._mark = new_id()
        self._keys = 0
        self._references = 0
        self._last: dict[str, Asked] = {}
        for rule, bit in (("twoPersons", 1), ("paidNeedsReference", 2)):
            setting = "on" if policy & bit else "off"
            self._observer.execute(
                "INSERT OR REPLACE INTO policy_rules VALUES (?, ?, 'command', ?)", (rule, setting, AT)
            )

    def step(self, step: dict[str, Any], others: list[dict[str, Any]]) -> None:
        if step["is_outside"]:
            self._change_outside(step)
        else:
            self._ask(self._read(step), others)
        self.check()

    def _ask(self, asked: Asked, others: list[dict[str, Any]]) -> None:
        def meanwhile() -> None:
            for other in others:
                if other["is_outside"]:
                    self._change_outside(other)
                else:
                    self._compare(self._read(other), self._send(1, self._read(other, is_peek=True), None))

        outcome = self._send(0, asked, meanwhile)
        self._compare(asked, outcome)

    def _compare(self, asked: Asked, outcome: tuple[str, dict[str, Any] | None]) -> None:
        expected = self._model.move(asked)
        self._last[asked.admin] = asked
        assert outcome == expected, (asked, outcome, expected)

    def _send(
        self, server: int, asked: Asked, meanwhile: Callable[[], None] | None
    ) -> tuple[str, dict[str, Any] | None]:
        wish: Any = MoveRequest(asked.target, asked.version, asked.reason, asked.reference, asked.key)  # type: ignore[arg-type]

        async def work(change: Change) -> Any:
            wrapped: Any = change if meanwhile is None else Interrupted(change, meanwhile)
            return await actions.move_claim(wrapped, Actor(asked.admin), self._claims[asked.claim], wish)

        try:
            # Called directly instead of on the server's thread: no other request has to be waited for.
            answer = self._servers[server]._change(work).claim
        except Refusal as refusal:
            return refusal.code, None
        assert answer["_id"] == self._claims[asked.claim]
        targets = [move["to"] for move in answer["moves"]]
        return "moved", {"status": answer["status"], "version": answer["version"], "moves": targets}

    def _read(self, step: dict[str, Any], *, is_peek: bool = False) -> Asked:
        admin = ADMINS[step["admin"]]
        if step["is_retry"] and admin in self._last:
            return self._last[admin]
        claim = self._model.claims[step["claim"]]
        allowed = ALLOWED[claim.status]
        wish = step["wish"]
        target = allowed[wish % len(allowed)] if wish < 15 and allowed else STATUSES[wish % len(STATUSES)]
        version = {"none": None, "seen": claim.version, "stale": max(claim.version - 1, 0)}[step["version"]]
        reason = {"none": None, "given": "As agreed.", "other": "Another reason."}[step["reason"]]
        return Asked(
            claim=step["claim"],
            admin=admin,
            target=target,
            version=version,
            reason=reason,
            reference=self._reference(step["reference"], is_peek) if target == "Paid" or wish == 19 else None,
            key=self._key(step["key"], is_peek),
        )

    def _reference(self, choice: str, is_peek: bool) -> str | None:
        if choice == "new":
            self._references += not is_peek
        names = {"first": f"{self._mark}-one", "first again": f"{self._mark}ONE".upper()}
        return None if choice == "none" else names.get(choice, f"{self._mark}{self._references}")

    def _key(self, choice: str, is_peek: bool) -> str | None:
        if choice == "new":
            self._keys += not is_peek
        return None if choice == "none" else f"{self._mark}-{self._keys}"

    def _change_outside(self, step: dict[str, Any]) -> None:
        """Update the status directly in the database, as another program might. The guard must detect it."""
        status = ("Rejected", "Pending", "Accepted")[step["wish"] % 3]
        self._model.claims[step["claim"]].status = status
        self._observer.execute("UPDATE claims SET status = ? WHERE id = ?", (status, self._claims[step["claim"]]))

    def check(self) -> None:
        for claim_id, model in zip(self._claims, self._model.claims, strict=True):
            stored = self._rows_of("SELECT status, version, payout_round FROM claims WHERE id = ?", claim_id)
            assert stored == [(model.status, model.version, model.payout_round)]
            transitions = self._rows_of(
                "SELECT number, from_status, to_status, moved_by, reason, payout_round FROM claim_transitions"
                " WHERE claim_id = ? ORDER BY number",
                claim_id,
            )
            assert transitions == [
                (number, done.source, done.target, done.by, done.reason, done.payout_round)
                for number, done in enumerate(model.history, 1)
            ]
            paid = [row[-1] for row in transitions if row[2] == "Paid"]
            assert len(paid) == len(set(paid)), "paid twice in a round"
            logged = self._rows_of(
                "SELECT actor, json_extract(before, '$.status'), json_extract(after, '$.status'),"
                " json_extract(after, '$.version') FROM audit_log WHERE subject_id = ? ORDER BY seq",
                claim_id,
            )
            assert logged == [(by, source, target, number) for number, source, target, by, _, _ in transitions]
            references = self._rows_of(
                "SELECT number, reference FROM payout_references WHERE claim_id = ? ORDER BY number", claim_id
            )
            assert references == [
                (number, done.reference) for number, done in enumerate(model.history, 1) if done.reference is not None
            ]

    def _rows_of(self, sql: str, claim_id: str) -> list[tuple[Any, ...]]:
        return self._observer.execute(sql, (claim_id,)).fetchall()


def run_at_random(file: Path, how: settings) -> None:
    observer = _connect(file)
    # Two servers, each with its own connection.
    servers = [Sqlite(make_url(f"sqlite:///{file}"), Event(), is_patient=True) for _ in range(2)]
    for server in servers:
        with server.connection() as connection:
            # Durability is not under test.
            connection.execute("PRAGMA synchronous = OFF")

    @how
    @given(SCENES)
    def property_holds(scene: tuple[int, list[tuple[dict[str, Any], list[dict[str, Any]]]]]) -> None:
        policy, steps = scene
        stage = Scene(servers, observer, policy)
        for step, others in steps:
            stage.step(step, others)

    try:
        property_holds()
    finally:
        for server in servers:
            server.close()
        observer.close()


def _connect(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def _add_claim(connection: sqlite3.Connection) -> str:
    user_id, purchase_id, claim_id = new_id(), new_id(), new_id()
    connection.execute(
        "INSERT INTO users (id, created_at, username, mobile) VALUES (?, ?, 'Ananya Iyer', '0980575609')", (user_id, AT)
    )
    connection.execute(
        "INSERT INTO purchases (id, created_at, user_id, invest_paise, daily_income_paise, upi_id, claim_type, qr_name)"
        " VALUES (?, ?, ?, 500000, 6250, '631902345678', 'Daily', 'Desk 1')",
        (purchase_id, AT, user_id),
    )
    connection.execute(
        "INSERT INTO claims (id, created_at, user_id, purchase_id, amount_paise, account_no, ifsc, address, status)"
        " VALUES (?, ?, ?, ?, 193750, '004512345678', 'HDFC0001234', 'Kochi', 'Pending')",
        (claim_id, AT, user_id, purchase_id),
    )
    return claim_id
