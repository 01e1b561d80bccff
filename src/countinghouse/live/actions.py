"""Records which claim a browser tab has open."""

from typing import Annotated

from pydantic import AfterValidator, Field
from sqlalchemy import and_, bindparam, delete, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from countinghouse.claims.queries import claim_not_found
from countinghouse.claims.tables import claims
from countinghouse.core.db import Statement, Transaction
from countinghouse.core.examples import body_examples
from countinghouse.core.ids import is_id
from countinghouse.core.inputs import Body
from countinghouse.core.listing.sql import number
from countinghouse.core.times import alive
from countinghouse.live.queries import OPEN_FOR
from countinghouse.live.tables import open_claims


def _id_of_tab(text: str) -> str:
    if not (text.isascii() and text.replace("-", "").isalnum()):
        raise ValueError("may have letters, digits and dashes only.")
    return text


def _id_of_claim(text: str) -> str:
    if not is_id(text):
        raise ValueError("is not the id of a claim.")
    return text


class OpenTab(Body):
    model_config = body_examples({"tab": "0f8fad5b-d9cb-469f-a165-70867728950e", "claimId": "6917e2f4a1b2c3d4e5000001"})

    tab: Annotated[
        str,
        Field(min_length=16, max_length=40, description="A random, secret id: any call with it acts for this tab"),
        AfterValidator(_id_of_tab),
    ]
    claim_id: Annotated[str, AfterValidator(_id_of_claim)] | None = Field(
        alias="claimId", description="null if no claim is open"
    )


# More tabs than anybody works in. Of more, only the ones seen last are shown, so that no one admin fills the screens
# of all others.
MOST_TABS = 20

_open = open_claims.c
_IS_OWN_TAB = and_(_open.tab == bindparam("of_tab"), _open.admin_id == bindparam("of_admin"))
_RENEW = Statement(
    update(open_claims)
    .where(_IS_OWN_TAB, _open.claim_id == bindparam("of_claim"), _open.seen_at >= bindparam("alive_at"))
    .values(seen_at=bindparam("at"))
)
_CLOSE = delete(open_claims).where(_IS_OWN_TAB)
# SQLite has the same clause.
_inserted = insert(open_claims)
_OPEN = Statement(
    _inserted.on_conflict_do_update(
        index_elements=[_open.tab],
        set_={name: _inserted.excluded[name] for name in ("admin_id", "claim_id", "opened_at", "seen_at")},
    )
)
# With SKIP LOCKED, no call waits for another while it holds rows, so two never wait for each other. (SQLite has no such
# clause, and only one writer.)
_STALE = (
    select(_open.tab)
    .where(or_(_open.seen_at < bindparam("alive_at"), _open.seen_at > bindparam("ahead")))
    .with_for_update(skip_locked=True)
)
_IS_CLAIM = Statement(select(claims.c.id).where(claims.c.id == bindparam("of_claim")))
_oldest = (
    select(_open.tab)
    .where(_open.admin_id == bindparam("of_admin"))
    .order_by(_open.seen_at.desc(), _open.tab)
    .offset(number(MOST_TABS))
    .with_for_update(skip_locked=True)
)
_DELETE_OLDEST = delete(open_claims).where(_open.tab.in_(_oldest))
_SWEEP = delete(open_claims).where(_open.tab.in_(_STALE))


async def say_open(transaction: Transaction, admin_id: str, said: OpenTab) -> None:
    """A heartbeat, not a change: like a session's last-seen time it is not recorded in the audit log."""
    at = await transaction.now()
    mine = {"of_tab": said.tab, "of_admin": admin_id}
    if said.claim_id is None:
        await transaction.execute(_CLOSE, mine)
        return
    within = alive(at, OPEN_FOR)
    renewed = await transaction.execute(_RENEW, mine | {"of_claim": said.claim_id, "alive_at": within.since, "at": at})
    if renewed == 0:
        if await transaction.scalar(_IS_CLAIM, {"of_claim": said.claim_id}) is None:
            raise claim_not_found()
        row = {"tab": said.tab, "admin_id": admin_id, "claim_id": said.claim_id, "opened_at": at, "seen_at": at}
        await transaction.execute(_OPEN, row)
        await transaction.execute(_SWEEP, {"alive_at": within.since, "ahead": within.ahead})
        await transaction.execute(_DELETE_OLDEST, {"of_admin": admin_id})
