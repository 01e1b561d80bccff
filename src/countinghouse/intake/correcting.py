"""Corrections of what the service owns: a user's name and mobile; a pending claim's address and bank details."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import Field, model_validator, with_config
from sqlalchemy import FromClause, Select, bindparam, select, update
from typing_extensions import TypedDict

from countinghouse.audit.actions import INSERT_AUDIT_ROW, Actor, record_values
from countinghouse.claims.lifecycle import FIRST
from countinghouse.claims.resource import ClaimVerb
from countinghouse.claims.tables import claims
from countinghouse.core.db import Change, Guarded, Statement
from countinghouse.core.errors import Conflict, NotFound
from countinghouse.core.examples import body_examples
from countinghouse.core.inputs import LARGEST_INTEGER, Body
from countinghouse.core.resource import Verb
from countinghouse.intake.nouns import IntakeVerb
from countinghouse.intake.rows import AccountNo, Address, Ifsc, Mobile, Username
from countinghouse.users.tables import users

# How often a correction is tried when others change the same row at the same time.
_TRIES = 5

Version = Annotated[int, Field(ge=0, le=LARGEST_INTEGER, description="The current version; a new row has 0.")]


class _Correction(Body):
    version: Version

    @model_validator(mode="after")
    def _corrects_something(self) -> Self:
        if not self.sent():
            names = " or ".join(str(field.alias or name) for name, field in type(self).model_fields.items())
            raise ValueError(f"corrects nothing; send {names.removeprefix('version or ')}.")
        return self

    def sent(self) -> dict[str, str]:
        """The new values by column."""
        return {name: value for name, value in self if name != "version" and value is not None}


class UserCorrection(_Correction):
    model_config = body_examples({"version": 0, "mobile": "9805756092"})

    username: Username | None = None
    mobile: Mobile | None = None


class ClaimCorrection(_Correction):
    model_config = body_examples({"version": 0, "accountNo": "004512345678", "ifsc": "HDFC0001234"})

    address: Address | None = None
    account_no: Annotated[AccountNo | None, Field(alias="accountNo")] = None
    ifsc: Ifsc | None = None


@with_config(
    json_schema_extra={"examples": [{"_id": "6917e2f4a1b2c3d4e5000003", "externalId": "c-1001", "version": 1}]}
)
class Corrected(TypedDict):
    _id: str
    externalId: str
    version: int


def _answer(table: FromClause) -> Select[Any]:
    return select(table.c.version)


_NAMES = {"username": "username", "mobile": "mobile", "address": "address", "account_no": "accountNo", "ifsc": "ifsc"}
_USER_COLUMNS = ("username", "mobile")
_CLAIM_COLUMNS = ("address", "account_no", "ifsc")

_USER = Statement(
    select(users.c.id, users.c.version, *(users.c[name] for name in _USER_COLUMNS)).where(
        users.c.external_id == bindparam("external_id")
    )
)
_CLAIM = Statement(
    select(claims.c.id, claims.c.version, claims.c.status, *(claims.c[name] for name in _CLAIM_COLUMNS)).where(
        claims.c.external_id == bindparam("external_id")
    )
)
# All columns are written, so that there is one statement for any choice of them.
_CORRECT_USER = Guarded(
    users,
    update(users)
    .where(users.c.id == bindparam("row_id"), users.c.version == bindparam("seen_version"))
    .values(version=bindparam("new_version"), **{name: bindparam(f"new_{name}") for name in _USER_COLUMNS}),
    key="row_id",
    then=(INSERT_AUDIT_ROW,),
    answer=_answer,
)
# The version changes too: an admin who has seen the old account must not accept the claim unawares.
_CORRECT_CLAIM = Guarded(
    claims,
    update(claims)
    .where(
        claims.c.id == bindparam("row_id"),
        claims.c.version == bindparam("seen_version"),
        claims.c.status == bindparam("seen_status"),
    )
    .values(version=bindparam("new_version"), **{name: bindparam(f"new_{name}") for name in _CLAIM_COLUMNS}),
    key="row_id",
    then=(INSERT_AUDIT_ROW,),
    answer=_answer,
)


async def correct_user(change: Change, actor: Actor, external_id: str, asked: UserCorrection) -> Corrected:
    for _ in range(_TRIES):
        found = await change.first(_USER, {"external_id": external_id})
        if found is None:
            raise not_found("user")
        old = {name: getattr(found, name) for name in _USER_COLUMNS}
        correction = _Attempt(actor, IntakeVerb.USER_CORRECTED, found.id, external_id, found.version, old, asked)
        if (answer := correction.already()) is not None or (
            answer := await correction.write(change, _CORRECT_USER)
        ) is not None:
            return answer
    raise changed_by_others("user")


async def correct_claim(change: Change, actor: Actor, external_id: str, asked: ClaimCorrection) -> Corrected:
    for _ in range(_TRIES):
        found = await change.first(_CLAIM, {"external_id": external_id})
        if found is None:
            raise not_found("claim")
        if found.status != FIRST:
            message = f"This claim is {found.status}; only a {FIRST} one can be corrected."
            raise Conflict("claim_not_pending", message, {"status": found.status})
        old = {name: getattr(found, name) for name in _CLAIM_COLUMNS}
        correction = _Attempt(actor, ClaimVerb.CORRECTED, found.id, external_id, found.version, old, asked)
        if (answer := correction.already()) is not None or (
            answer := await correction.write(change, _CORRECT_CLAIM, seen_status=FIRST)
        ) is not None:
            return answer
    raise changed_by_others("claim")


class _Attempt:
    """One correction of a row as it was just read."""

    def __init__(
        self,
        actor: Actor,
        verb: Verb,
        row_id: str,
        external_id: str,
        version: int,
        old: Mapping[str, str],
        asked: _Correction,
    ) -> None:
        self._actor = actor
        self._verb = verb
        self._row_id = row_id
        self._external_id = external_id
        self._version = version
        self._old = old
        self._changed = {name: value for name, value in asked.sent().items() if value != old[name]}
        self._asked_version = asked.version

    def already(self) -> Corrected | None:
        """The answer if there is nothing to change. A retry after a lost reply names the version before its change."""
        if not self._changed and self._asked_version in (self._version, self._version - 1):
            return self._corrected(self._version)
        if self._asked_version != self._version:
            message = f"It has changed: its version is {self._version} now, not {self._asked_version}."
            raise Conflict("version_differs", message, {"version": str(self._version)})
        return None

    async def write(self, change: Change, guarded: Guarded, **more: Any) -> Corrected | None:
        """None if the row has changed since it was read."""
        version = self._version + 1
        audit = record_values(
            self._actor,
            self._verb,
            self._row_id,
            before={_NAMES[name]: self._old[name] for name in self._changed} | {"version": self._version},
            after={_NAMES[name]: value for name, value in self._changed.items()} | {"version": version},
        )
        values = {"row_id": self._row_id, "seen_version": self._version, "new_version": version, **more, **audit}
        values |= {f"new_{name}": value for name, value in {**self._old, **self._changed}.items()}
        return self._corrected(version) if await change.guarded(guarded, values) is not None else None

    def _corrected(self, version: int) -> Corrected:
        return {"_id": self._row_id, "externalId": self._external_id, "version": version}


def not_found(noun: str) -> NotFound:
    return NotFound(f"{noun}_not_found", f"There is no {noun} with this externalId.")


def changed_by_others(noun: str) -> Conflict:
    return Conflict("version_differs", f"Others are changing this {noun} right now. Try again.")
