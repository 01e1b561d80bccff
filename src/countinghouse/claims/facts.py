"""Facts worth a look beside the buttons, each in one line.

They inform and never decide: no rule reads them, and nothing is refused because of one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import with_config
from typing_extensions import TypedDict

from countinghouse.claims.lifecycle import Status
from countinghouse.core.money import in_rupees
from countinghouse.core.times import day_of

FactCode = Literal[
    "account_shared", "account_changed", "above_earned", "reference_repeated", "first_payout", "near_duplicate"
]


@with_config(
    json_schema_extra={
        "examples": [
            {"code": "above_earned", "sentence": "Asks ₹5,000; by our arithmetic ₹3,200 may be claimed."},
        ]
    }
)
class Fact(TypedDict):
    code: FactCode
    sentence: str


@dataclass(frozen=True, slots=True)
class Account:
    number: str
    ifsc: str


@dataclass(frozen=True, slots=True)
class Clients:
    """How many, and a few of them by name; `or_more` where not all were counted."""

    count: int
    names: Sequence[str]
    or_more: bool = False


@dataclass(frozen=True, slots=True)
class ClaimBefore:
    at: datetime
    account: Account


@dataclass(frozen=True, slots=True)
class RepeatedReference:
    reference: str
    purchases: int
    # Of the purchases, those that other clients made.
    by_others: int
    others: Clients
    # How many references of this client are repeated beside this one.
    more: int


@dataclass(frozen=True, slots=True)
class Payouts:
    """Of this client to this account."""

    paid: int
    sent_back: int


@dataclass(frozen=True, slots=True)
class ClaimsAlike:
    count: int
    newest_at: datetime
    newest_status: Status


@dataclass(frozen=True, slots=True)
class Evidence:
    status: Status
    amount_paise: int
    account: Account
    sharers: Clients
    before: ClaimBefore | None
    claimable_paise: int
    repeated: RepeatedReference | None
    payouts: Payouts
    alike: ClaimsAlike | None


def find_facts(seen: Evidence) -> list[Fact]:
    told = ((code, tell(seen)) for code, tell in _FACTS.items())
    return [{"code": code, "sentence": sentence} for code, sentence in told if sentence is not None]


def _account_shared(seen: Evidence) -> str | None:
    if seen.sharers.count == 0:
        return None
    return f"This account is also used by {_other_clients(seen.sharers)}."


def _account_changed(seen: Evidence) -> str | None:
    before = seen.before
    if before is None or before.account == seen.account:
        return None
    account = f"{before.account.number}, IFSC {before.account.ifsc}"
    return f"The last claim, on {day_of(before.at)}, named another account: {account}."


def _above_earned(seen: Evidence) -> str | None:
    # What is paid is in the arithmetic already, and asks for nothing more.
    if seen.status == "Paid" or seen.amount_paise <= seen.claimable_paise:
        return None
    may = in_rupees(seen.claimable_paise) if seen.claimable_paise > 0 else "nothing"
    return f"Asks {in_rupees(seen.amount_paise)}; by our arithmetic {may} may be claimed."


def _reference_repeated(seen: Evidence) -> str | None:
    found = seen.repeated
    if found is None:
        return None
    count = f"{'at least ' if found.others.or_more else ''}{found.purchases:,}"
    sentence = f"Transaction ID {found.reference} is on {count} purchases"
    if found.by_others == 0:
        sentence += " of this client."
    else:
        sentence += f", {found.by_others:,} of them by {_other_clients(found.others)}."
    if found.more:
        is_or_are = "is" if found.more == 1 else "are"
        sentence += f" {found.more:,} more of this client's transaction IDs {is_or_are} repeated."
    return sentence


def _first_payout(seen: Evidence) -> str | None:
    if seen.payouts.paid:
        return None
    if seen.payouts.sent_back:
        times = "once" if seen.payouts.sent_back == 1 else f"{seen.payouts.sent_back} times"
        return f"No payout of this client has stayed in this account: the bank sent it back {times}."
    return "No claim of this client was ever paid to this account."


def _near_duplicate(seen: Evidence) -> str | None:
    alike = seen.alike
    if alike is None:
        return None
    made = f"made on {day_of(alike.newest_at)}, is {alike.newest_status}"
    amount = in_rupees(seen.amount_paise)
    if alike.count == 1:
        return f"Another claim of {amount}, {made}."
    return f"There are {alike.count} other claims of {amount} like this; the newest, {made}."


_FACTS: dict[FactCode, Callable[[Evidence], str | None]] = {
    "account_shared": _account_shared,
    "account_changed": _account_changed,
    "above_earned": _above_earned,
    "reference_repeated": _reference_repeated,
    "first_payout": _first_payout,
    "near_duplicate": _near_duplicate,
}


def _other_clients(clients: Clients) -> str:
    if clients.count == 1 and not clients.or_more:
        return f"another client: {clients.names[0]}"
    count = f"{'at least ' if clients.or_more else ''}{clients.count:,}"
    noun = "client" if clients.count == 1 else "clients"
    among = ":" if clients.count == len(clients.names) else ", among them"
    return f"{count} other {noun}{among} {_and(clients.names)}"


def _and(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
