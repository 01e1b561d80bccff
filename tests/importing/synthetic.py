"""A made-up service to import, of any size, with the faults that real ones have.

Every document depends only on its number, so nothing has to be kept in memory, and what becomes of it is known.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

OPENED = datetime(2025, 1, 1, 4, 0, tzinfo=UTC)
STATUSES = {"pending": "Pending", "approved": "Accepted", "PAID": "Paid", "On Hold": "On hold", "rejected": "Rejected"}
_WORDS = tuple(STATUSES)


INDIA = timezone(timedelta(hours=5, minutes=30))


class ObjectId(str):
    """An id of MongoDB; each format writes it in its own way."""


class Made(NamedTuple):
    """`is_good` says whether the desk must take it."""

    fields: dict[str, Any]
    is_good: bool


def _id(kind: int, number: int, at: datetime) -> ObjectId:
    return ObjectId(f"{int(at.timestamp()):08x}{kind:010x}{number:06x}")


def _written(at: datetime, number: int) -> Any:
    """Dates as a service collects them over the years."""
    if number % 3 == 1:
        return at.isoformat().replace("+00:00", "Z")
    return int(at.timestamp() * 1000) if number % 7 == 3 else at


def _upi_reference(at: datetime, number: int) -> str:
    """Twelve digits that begin with the day, and end with two check digits, so that no two look like a typo."""
    day = at.astimezone(INDIA)
    digits = f"{day.year % 10}{day.timetuple().tm_yday:03d}{number % 1_000_000:06d}"
    return f"{digits}{98 - int(digits) * 100 % 97:02d}"


@dataclass(frozen=True)
class Service:
    users: int = 60
    purchases: int = 120
    claims: int = 100

    def collections(self) -> dict[str, Iterator[Made]]:
        return {"users": self.made_users(), "orders": self.made_purchases(), "withdrawals": self.made_claims()}

    # users

    def _user_at(self, number: int) -> datetime:
        return OPENED + timedelta(seconds=number * 37)

    def user_id(self, number: int) -> ObjectId:
        return _id(1, number, self._user_at(number))

    def _is_good_user(self, number: int) -> bool:
        return number % 101 != 50

    def made_users(self) -> Iterator[Made]:
        for number in range(self.users):
            fields: dict[str, Any] = {
                "_id": self.user_id(number),
                "name": f"Client {number} Rao",
                "mobileNumber": f"9{number:09d}" if number % 2 else 9_000_000_000 + number,
                "createdAt": _written(self._user_at(number), number),
                "password": "$2b$10$notimported",
                "__v": 0,
            }
            if not self._is_good_user(number):
                del fields["mobileNumber"]
            yield Made(fields, self._is_good_user(number))
            if number % 211 == 40:
                yield Made(fields | {"name": "The same id again"}, False)

    # purchases

    def _purchase_at(self, number: int) -> datetime:
        return OPENED + timedelta(seconds=self.users * 37 + number * 53)

    def purchase_id(self, number: int) -> ObjectId:
        return _id(2, number, self._purchase_at(number))

    def _buyer(self, number: int) -> int:
        return number * 7 % self.users

    def _is_good_purchase(self, number: int) -> bool:
        return number % 307 != 9 and number % 401 != 3 and self._is_good_user(self._buyer(number))

    def _invest(self, number: int) -> float | int | str:
        if number % 1009 == 70:
            return 33.333333
        return 500 + number if number % 5 == 0 else round(199.99 + number * 0.37, 2)

    def made_purchases(self) -> Iterator[Made]:
        for number in range(self.purchases):
            at = self._purchase_at(number)
            fields = {
                "_id": self.purchase_id(number),
                "userId": self.user_id(self._buyer(number)),
                "amount": self._invest(number),
                "dailyIncome": 12.5,
                "transactionId": _upi_reference(at, number),
                "plan": "Daily",
                "qrName": f"Desk {number % 4}",
                "createdAt": _written(at, number),
            }
            if number % 307 == 9:
                fields["userId"] = ObjectId("f" * 24)
            if number % 401 == 3:
                del fields["qrName"]
            yield Made(fields, self._is_good_purchase(number))

    # claims

    def _claim_at(self, number: int) -> datetime:
        return OPENED + timedelta(seconds=self.users * 37 + self.purchases * 53 + number * 61)

    def claim_id(self, number: int) -> ObjectId:
        return _id(3, number, self._claim_at(number))

    def _bought(self, number: int) -> int:
        return number * 3 % self.purchases

    def _is_good_claim(self, number: int) -> bool:
        return number % 503 != 11 and number % 307 != 15 and self._is_good_purchase(self._bought(number))

    def made_claims(self) -> Iterator[Made]:
        for number in range(self.claims):
            bought = self._bought(number)
            fields = {
                "_id": self.claim_id(number),
                "user": self.user_id(self._buyer(bought)),
                "purchase": self.purchase_id(bought),
                "amount": "1,250.50" if number % 6 == 0 else round(10.1 + number * 0.1, 2),
                "bank": {"accountNumber": f"0{10**11 + number}", "ifscCode": "HDFC0001234"},
                "address": "14 MG Road, Kochi 682016",
                "status": _WORDS[number % len(_WORDS)],
                "createdAt": _written(self._claim_at(number), number),
            }
            if number % 503 == 11:
                fields["status"] = "mislaid"
            if number % 307 == 15:
                fields["purchase"] = ObjectId("e" * 24)
            yield Made(fields, self._is_good_claim(number))

    # what must be in the desk

    def good(self) -> dict[str, int]:
        found = self.collections()
        nouns = {"users": "users", "purchases": "orders", "claims": "withdrawals"}
        return {noun: sum(made.is_good for made in found[name]) for noun, name in nouns.items()}

    def bad(self) -> int:
        return sum(not made.is_good for documents in self.collections().values() for made in documents)

    def paise_by_status(self) -> dict[str, int]:
        sums: dict[str, int] = {}
        for made in self.made_claims():
            if made.is_good:
                status = STATUSES[made.fields["status"]]
                sums[status] = sums.get(status, 0) + paise(made.fields["amount"])
        return sums

    def invested_paise(self) -> int:
        return sum(paise(made.fields["amount"]) for made in self.made_purchases() if made.is_good)


def paise(amount: float | int | str) -> int:
    exact = Decimal(str(amount).replace(",", "")) * 100
    return int(exact.quantize(Decimal(1), ROUND_HALF_UP))
