"""Facts worth checking, shown beside the buttons, one line each.

They only inform: no claim is refused because of them, but a payment is if the admin has not seen them (`seen.py`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple
from zlib import crc32

from typing_extensions import TypedDict

from countinghouse.banks.ifsc import CodeState, read_ifsc
from countinghouse.claims.lifecycle import Status
from countinghouse.claims.named_clients import Clients
from countinghouse.core.examples import Example, described
from countinghouse.core.masking import Plain, masked
from countinghouse.india.accounts import account_key, account_note
from countinghouse.india.amounts import in_rupees
from countinghouse.india.days import day_in_words, day_of, indian_day
from countinghouse.india.references import classify, is_of_another_day, reference_key
from countinghouse.purchases.findings import Finding

FactCode = Literal[
    "account_shared",
    "account_changed",
    "account_implausible",
    "ifsc_malformed",
    "ifsc_unknown",
    "above_earned",
    "reference_repeated",
    "purchase_findings",
    "first_payout",
    "near_duplicate",
    "payout_reference_date",
    "payout_reference_reused",
]


@described
class Fact(TypedDict):
    """`id` is the code, with a mark of whom or what it names, and numbers that grow when the fact gets worse."""

    id: Annotated[Plain, Example("above_earned:180000")]
    code: Annotated[FactCode, Example("above_earned")]
    sentence: Annotated[str, Example("Requested ₹5,000; ₹3,200 is available to withdraw.")]


class Account(NamedTuple):
    """As it is written. To compare two, compare their keys."""

    number: str
    ifsc: str

    @property
    def key(self) -> tuple[str, str]:
        return account_key(self.number), account_key(self.ifsc)


class ClaimBefore(NamedTuple):
    at: datetime
    account: Account


class RepeatedReference(NamedTuple):
    reference: str
    purchases: int
    # How many of the purchases other clients made.
    by_others: int
    others: Clients
    # How many other references of this client are repeated too.
    more: int


class Payouts(NamedTuple):
    """This client's payouts to this account."""

    paid: int
    sent_back: int


@dataclass(frozen=True, slots=True)
class ClaimsAlike:
    count: int
    newest_at: datetime
    newest_status: Status


class ClaimedPurchase(NamedTuple):
    """The purchase that the claim is for."""

    transaction_id: str
    findings: Sequence[Finding]


class OtherPurchase(NamedTuple):
    client: str
    amount_paise: int
    made_at: datetime


class LastPayout(NamedTuple):
    """The last payout of this claim, if its bank reference is known; `bought` is a purchase with the same reference."""

    reference: str
    paid_at: datetime
    bought: OtherPurchase | None


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
    purchase: ClaimedPurchase | None = None
    last_payout: LastPayout | None = None
    # Whether the sentences are for somebody who sees only the last digits of account numbers.
    hides_numbers: bool = False

    def shown(self, number: str) -> str:
        return masked(number) if self.hides_numbers and number.strip() else number


def find_facts(seen: Evidence) -> list[Fact]:
    sentences = ((code, describe(seen)) for code, describe in _FACTS.items())
    return [
        {"id": _identify(code, seen), "code": code, "sentence": sentence}
        for code, sentence in sentences
        if sentence is not None
    ]


def _identify(code: FactCode, seen: Evidence) -> str:
    named, extent = _NAMED.get(code), _EXTENTS.get(code)
    mark = f"{code}-{crc32(repr(named(seen)).encode()):08x}" if named else code
    return ":".join([mark, *map(str, extent(seen))]) if extent else mark


def _account_shared(seen: Evidence) -> str | None:
    if seen.sharers.count == 0:
        return None
    return f"This account is also used by {seen.sharers.as_others()}."


def _account_changed(seen: Evidence) -> str | None:
    before = seen.before
    if before is None or before.account.key == seen.account.key:
        return None
    account = f"{seen.shown(before.account.number)}, IFSC {before.account.ifsc}"
    return f"The last claim, on {day_of(before.at)}, named another account: {account}."


def _account_implausible(seen: Evidence) -> str | None:
    note = account_note(seen.account.number)
    return _with_note("Account number", seen.shown(seen.account.number), note) if note else None


# Two facts read each code, and the claims of a batch have few different ones.
_read_ifsc = lru_cache(2_000)(read_ifsc)


def _ifsc_note(seen: Evidence, state: CodeState) -> str | None:
    reading = _read_ifsc(seen.account.ifsc)
    return _with_note("IFSC", seen.account.ifsc, reading.note) if reading.state == state else None


def _with_note(what: str, written: str, note: str) -> str:
    return f"{what} {written}: {note}" if written.strip() else note


def _above_earned(seen: Evidence) -> str | None:
    # A paid claim is already part of the arithmetic and asks for nothing more.
    if seen.status == "Paid" or seen.amount_paise <= seen.claimable_paise:
        return None
    may = in_rupees(seen.claimable_paise) if seen.claimable_paise > 0 else "nothing"
    return f"Requested {in_rupees(seen.amount_paise)}; {may} is available to withdraw."


def _reference_repeated(seen: Evidence) -> str | None:
    found = seen.repeated
    if found is None:
        return None
    count = f"{'at least ' if found.others.or_more else ''}{found.purchases:,}"
    sentence = f"Transaction ID {found.reference} is on {count} purchases"
    if found.by_others == 0:
        sentence += " of this client."
    else:
        sentence += f", {found.by_others:,} of them by {found.others.as_others()}."
    if found.more:
        is_or_are = "is" if found.more == 1 else "are"
        sentence += f" {found.more:,} more of this client's transaction IDs {is_or_are} repeated."
    return sentence


def _purchase_findings(seen: Evidence) -> str | None:
    purchase = seen.purchase
    if purchase is None:
        return None
    # What is already reported about the client's transaction IDs is not repeated.
    is_reported = seen.repeated is not None and seen.repeated.reference == purchase.transaction_id
    sentences = [found["sentence"] for found in purchase.findings if not (is_reported and found["code"] == "repeated")]
    return f"About the purchase, {purchase.transaction_id}: {' '.join(sentences)}" if sentences else None


def _payout_reference_date(seen: Evidence) -> str | None:
    payout = seen.last_payout
    if payout is None:
        return None
    paid_on = indian_day(payout.paid_at)
    reference = classify(reference_key(payout.reference), paid_on)
    if reference.day is None or not is_of_another_day(reference, paid_on):
        return None
    dated = day_in_words(reference.day)
    return f"Payout reference {payout.reference} is dated {dated}; paid on {day_in_words(paid_on)}."


def _payout_reference_reused(seen: Evidence) -> str | None:
    payout = seen.last_payout
    if payout is None or payout.bought is None:
        return None
    bought = payout.bought
    return (
        f"Payout reference {payout.reference} is the transaction ID of the purchase of {bought.client} "
        f"over {in_rupees(bought.amount_paise)}, made on {day_of(bought.made_at)}."
    )


def _first_payout(seen: Evidence) -> str | None:
    if seen.payouts.paid:
        return None
    if seen.payouts.sent_back:
        times = "once" if seen.payouts.sent_back == 1 else f"{seen.payouts.sent_back} times"
        return f"No payout of this client has stayed in this account: the bank sent it back {times}."
    return "First payout to this account."


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
    "account_implausible": _account_implausible,
    "ifsc_malformed": lambda seen: _ifsc_note(seen, "malformed"),
    "ifsc_unknown": lambda seen: _ifsc_note(seen, "unknown"),
    "above_earned": _above_earned,
    "reference_repeated": _reference_repeated,
    "purchase_findings": _purchase_findings,
    "first_payout": _first_payout,
    "near_duplicate": _near_duplicate,
    "payout_reference_date": _payout_reference_date,
    "payout_reference_reused": _payout_reference_reused,
}


# Whom or what a fact names, if another one could take its place while the claim stays the same: as many clients with
# this account, but others. Paying another claim changes none of it.
_NAMED: dict[FactCode, Callable[[Evidence], object]] = {
    "account_shared": lambda seen: [*seen.sharers.names],
    "account_changed": lambda seen: seen.before.account.key if seen.before else None,
    "reference_repeated": lambda seen: (
        (seen.repeated.reference, [*seen.repeated.others.names]) if seen.repeated else None
    ),
    "purchase_findings": lambda seen: [found["sentence"] for found in seen.purchase.findings] if seen.purchase else [],
}

# How bad a fact is, in numbers that only grow when it gets worse, for facts that can get worse while the claim stays
# the same. Paying another claim makes none of them worse, so that a batch does not stop itself.
_EXTENTS: dict[FactCode, Callable[[Evidence], tuple[int, ...]]] = {
    "account_shared": lambda seen: (seen.sharers.count,),
    "account_changed": lambda seen: (int(seen.before.at.timestamp()) if seen.before else 0,),
    "above_earned": lambda seen: (seen.amount_paise - seen.claimable_paise,),
    "reference_repeated": lambda seen: (seen.repeated.purchases, seen.repeated.more) if seen.repeated else (),
    "purchase_findings": lambda seen: (len(seen.purchase.findings) if seen.purchase else 0,),
    "first_payout": lambda seen: (seen.payouts.sent_back,),
    "near_duplicate": lambda seen: (seen.alike.count, int(seen.alike.newest_at.timestamp())) if seen.alike else (),
}
