"""The evidence about many claims, in a few statements for hundreds of them instead of a dozen for each.

It leads to the same facts as the evidence about a single claim, and a test compares both. One difference: rows that
share an account or a reference are all counted, where a single claim stops at `MOST_CHECKED`.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Row

from countinghouse.claims.alike import Mate, Mates
from countinghouse.claims.bulk_statements import (
    BEFORE,
    BOUGHT,
    CHOSEN,
    CLAIMED,
    EARNED,
    LAST_PAYOUTS,
    MATES,
    REPEATED,
    USERS_OF_ACCOUNT,
    USERS_OF_REFERENCE,
)
from countinghouse.claims.evidence import MOST_NAMES
from countinghouse.claims.facts import (
    Account,
    ClaimBefore,
    ClaimedPurchase,
    Evidence,
    LastPayout,
    OtherPurchase,
    Payouts,
    RepeatedReference,
)
from countinghouse.claims.lifecycle import IN_FLIGHT
from countinghouse.claims.named_clients import Clients
from countinghouse.core.db import Reader, Statement
from countinghouse.core.listing.finding import bound_ids
from countinghouse.india.references import reference_key
from countinghouse.purchases.findings import FINDINGS

# Few enough that other requests wait only for milliseconds: on PostgreSQL this runs on the event loop.
READ_TOGETHER = 500


class _Users(NamedTuple):
    """The clients who use an account or a reference; `first` are the ids and names of a few."""

    clients: int
    entries: int
    first: list[tuple[str, str]]

    def others(self, user_id: str) -> Clients:
        """All but this client, who is one of them."""
        names = [name for each, name in self.first if each != user_id]
        return Clients(max(0, self.clients - 1), names[:MOST_NAMES])


_NOBODY = _Users(0, 0, [])
_NEVER = Payouts(0, 0)


class WantedClaim(NamedTuple):
    id: str
    user_id: str
    amount_paise: int


class BulkEvidence:
    """Reads claims part by part. What it knows about a client, an account or a reference is kept for the next part.

    `wanted` are all claims that will be read: what concerns a client is read once for all of the client's claims.
    """

    _reader: Reader

    def __init__(self, wanted: Iterable[WantedClaim], at: datetime, *, hides_numbers: bool) -> None:
        self._at = at
        self._hides_numbers = hides_numbers
        self._wanted: dict[str, list[WantedClaim]] = {}
        for claim in wanted:
            self._wanted.setdefault(claim.user_id, []).append(claim)
        # In paise, by client: what is earned and not paid or in flight.
        self._left: dict[str, int] = {}
        self._before: dict[str, ClaimBefore] = {}
        self._mates: dict[tuple[str, int], Mates] = {}
        # By client and account key.
        self._payouts: dict[tuple[str, tuple[str, str]], Payouts] = {}
        self._repeated: dict[str, dict[str, int]] = {}
        self._users_of_account: dict[tuple[str, str], _Users] = {}
        self._users_of_reference: dict[str, _Users] = {}

    async def read(self, reader: Reader, part: Sequence[WantedClaim]) -> list[tuple[Row[Any], Evidence]]:
        """The claims with their evidence, at most READ_TOGETHER at once."""
        self._reader = reader
        ids = [claim.id for claim in part]
        await self._read_clients({claim.user_id for claim in part} - self._left.keys())
        chosen = await self._reader.rows(CHOSEN, self._bound(ids=ids))
        await self._read_accounts({_account_of(row).key for row in chosen})
        await self._read_references({reference for row in chosen if (reference := self._reference_of(row))})
        payouts = await self._read_last_payouts(ids)
        return [(row, self._evidence(row, payouts.get(row.id))) for row in chosen]

    def _bound(self, **values: Iterable[Any]) -> dict[str, Any]:
        return {name: bound_ids(sorted(each), self._reader.is_sqlite) for name, each in values.items()}

    def _evidence(self, row: Row[Any], last_payout: LastPayout | None) -> Evidence:
        account = _account_of(row)
        # The claim does not count against itself.
        own = row.amount_paise if row.status in IN_FLIGHT else 0
        mates = self._mates.get((row.user_id, row.amount_paise))
        return Evidence(
            status=row.status,
            amount_paise=row.amount_paise,
            account=account,
            sharers=self._users_of_account[account.key].others(row.user_id),
            before=self._before.get(row.id),
            claimable_paise=self._left[row.user_id] + own,
            repeated=self._repeated_reference(row),
            payouts=self._payouts.get((row.user_id, account.key), _NEVER),
            alike=mates.find_alike(row.id, row.created_at, account) if mates else None,
            purchase=ClaimedPurchase(row.upi_id, FINDINGS[row.findings]),
            last_payout=last_payout,
            hides_numbers=self._hides_numbers,
        )

    async def _read_clients(self, clients: set[str]) -> None:
        """Nothing is kept until all of it is read: a read that fails is tried again with the same evidence."""
        if not clients:
            return
        of_these = self._bound(users=clients)
        left = dict.fromkeys(clients, 0)
        for user_id, days, income in await self._reader.all(EARNED, of_these | {"at": self._at}):
            left[user_id] += days * int(income)
        payouts: dict[tuple[str, tuple[str, str]], Payouts] = {}
        for user_id, account_no, ifsc, paid, sent_back, paid_paise, flying in await self._reader.all(CLAIMED, of_these):
            left[user_id] -= int(paid_paise) + int(flying)
            of_account = user_id, Account(account_no, ifsc).key
            known = payouts.get(of_account, _NEVER)
            payouts[of_account] = Payouts(known.paid + int(paid), known.sent_back + int(sent_back))
        repeated: dict[str, dict[str, int]] = {}
        for user_id, reference, entries in await self._reader.all(REPEATED, of_these):
            repeated.setdefault(user_id, {})[reference] = entries
        wanted = [claim for user_id in clients for claim in self._wanted[user_id]]
        before = await self._reader.rows(BEFORE, of_these | self._bound(ids={claim.id for claim in wanted}))
        amounts = self._bound(amounts={claim.amount_paise for claim in wanted})
        mates: dict[tuple[str, int], list[Mate]] = {}
        for row in await self._reader.rows(MATES, of_these | amounts):
            mate = Mate(row.created_at, row.id, row.status, _account_of(row))
            mates.setdefault((row.user_id, row.amount_paise), []).append(mate)
        self._left |= left
        self._payouts |= payouts
        self._repeated |= repeated
        self._before |= {row.id: ClaimBefore(row.at, _account_of(row)) for row in before}
        self._mates |= {key: Mates(found) for key, found in mates.items()}

    async def _read_accounts(self, accounts: set[tuple[str, str]]) -> None:
        if new := accounts - self._users_of_account.keys():
            found = await self._read_users(USERS_OF_ACCOUNT, accounts={number for number, _ in new})
            self._users_of_account |= {account: found.get(account, _NOBODY) for account in new}

    async def _read_references(self, references: set[str]) -> None:
        if new := references - self._users_of_reference.keys():
            found = await self._read_users(USERS_OF_REFERENCE, references=new)
            self._users_of_reference |= {reference: found.get((reference,), _NOBODY) for reference in new}

    async def _read_users(self, statement: Statement, **values: Iterable[str]) -> dict[tuple[str, ...], _Users]:
        found: dict[tuple[str, ...], _Users] = {}
        for row in await self._reader.rows(statement, self._bound(**values)):
            *key, user_id, clients, entries, _, username = tuple(row)
            found.setdefault(tuple(key), _Users(clients, int(entries), [])).first.append((user_id, username))
        return found

    def _reference_of(self, row: Row[Any]) -> str | None:
        """The repeated reference to report: that of the claimed purchase if it is one of several."""
        repeated = self._repeated.get(row.user_id)
        if repeated is None:
            return None
        return row.upi_id if row.upi_id in repeated else next(iter(repeated))

    def _repeated_reference(self, row: Row[Any]) -> RepeatedReference | None:
        reference = self._reference_of(row)
        if reference is None:
            return None
        found, repeated = self._users_of_reference[reference], self._repeated[row.user_id]
        if found is _NOBODY:
            # Unreadable, see `is_unreadable`.
            return None
        return RepeatedReference(
            reference=reference,
            purchases=found.entries,
            by_others=found.entries - repeated[reference],
            others=found.others(row.user_id),
            more=len(repeated) - 1,
        )

    async def _read_last_payouts(self, ids: Sequence[str]) -> dict[str, LastPayout]:
        # Of several payouts of a claim, the last one stays.
        paid = {row.claim_id: row for row in await self._reader.rows(LAST_PAYOUTS, self._bound(ids=ids))}
        if not paid:
            return {}
        keys = {reference_key(row.reference) for row in paid.values()}
        found = await self._reader.rows(BOUGHT, self._bound(keys=keys))
        bought = {row.reference_key: OtherPurchase(row.username, row.invest_paise, row.created_at) for row in found}
        return {
            claim_id: LastPayout(row.reference, row.recorded_at, bought.get(reference_key(row.reference)))
            for claim_id, row in paid.items()
        }


def _account_of(row: Row[Any]) -> Account:
    return Account(row.account_no, row.ifsc)
