"""Limits the rate of login attempts without locking out the real admin.

An attempt is counted before the password is checked, so that a hundred concurrent attempts count as a hundred. A
successful login gives its attempt back. Unknown browsers share one small bucket per account. A browser that has signed
in before carries a device cookie and has its own bucket, which nobody else can fill.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from sqlalchemy import text

from countinghouse.admins.names import hashed_name
from countinghouse.core.db import Statement, Transaction
from countinghouse.core.errors import SlowDown
from countinghouse.core.http.requests import Address, network_key
from countinghouse.core.times import CLOCKS_DIFFER
from countinghouse.settings import Settings

DAY_MS = 24 * 3600 * 1000
CLOCKS_DIFFER_MS = CLOCKS_DIFFER // timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Bucket:
    key: str
    guesses: int
    refill_seconds: float

    @property
    def step_ms(self) -> int:
        return round(self.refill_seconds * 1000)


async def buckets_for(
    transaction: Transaction, username_key: str, address: Address | None, device: bytes | None
) -> tuple[Bucket, ...]:
    buckets = buckets_for_passkey(address, device)
    if device is not None:
        return buckets
    return (*buckets, Bucket(await _account_key(transaction, username_key), guesses=5, refill_seconds=15 * 60))


async def _account_key(transaction: Transaction, username_key: str) -> str:
    return f"account:{await hashed_name(transaction, username_key)}"


def buckets_for_code(device: bytes | None) -> tuple[Bucket, ...]:
    """A code has six digits only, so a known browser gets fewer guesses at it than at a password."""
    return () if device is None else (Bucket(f"code:{device.hex()}", guesses=5, refill_seconds=15 * 60),)


def buckets_for_passkey(address: Address | None, device: bytes | None) -> tuple[Bucket, ...]:
    """For a login by passkey alone, which names no account before it succeeds."""
    if device is not None:
        # Not by address as well: somebody else behind the same router could fill that bucket.
        return (Bucket(f"device:{device.hex()}", guesses=10, refill_seconds=60),)
    return (Bucket(f"address:{network_key(address)}", guesses=20, refill_seconds=60),)


def buckets_for_session(session_hash: bytes) -> tuple[Bucket, ...]:
    """For codes and passwords that are asked for within a session."""
    return (Bucket(f"session:{session_hash.hex()}", guesses=5, refill_seconds=5 * 60),)


def buckets_for_numbers(what: Literal["numbers", "reveals"], admin_id: str, settings: Settings) -> tuple[Bucket, ...]:
    """For searches of whole numbers, and for reveals. Far more than anybody looks up by hand, far fewer than a program
    needs to find a number by trying, or to take them all."""
    minute, day = settings.numbers_per_minute, settings.numbers_per_day
    return (
        Bucket(f"{what} a minute:{admin_id}", guesses=minute, refill_seconds=60 / minute),
        Bucket(f"{what} a day:{admin_id}", guesses=day, refill_seconds=24 * 3600 / day),
    )


# After the clock was set back, the bucket keeps its level and drains from now on. Nobody has to wait until the clock
# catches up, and nobody gains an attempt.
_CARRY_OVER = Statement(
    text("""
    UPDATE login_buckets SET counted_at_ms = :now, drained_at_ms =
        :now + CASE WHEN drained_at_ms > counted_at_ms THEN drained_at_ms - counted_at_ms ELSE 0 END
    WHERE key = :key AND counted_at_ms > :now + :clocks_differ
""")
)
_TAKE = Statement(
    text("""
    INSERT INTO login_buckets (key, drained_at_ms, counted_at_ms) VALUES (:key, :now + :step, :now)
    ON CONFLICT (key) DO UPDATE SET counted_at_ms = :now, drained_at_ms = :step +
        CASE WHEN login_buckets.drained_at_ms > :now THEN login_buckets.drained_at_ms ELSE :now END
    WHERE login_buckets.drained_at_ms <= :now + :room
    RETURNING drained_at_ms
""")
)
_DRAINED_AT = Statement(text("SELECT drained_at_ms FROM login_buckets WHERE key = :key"))
_GIVE_BACK = Statement(text("UPDATE login_buckets SET drained_at_ms = drained_at_ms - :step WHERE key = :key"))
_SWEEP = Statement(text("DELETE FROM login_buckets WHERE drained_at_ms < :long_ago"))
_EMPTY = Statement(text("DELETE FROM login_buckets WHERE key = :key"))


async def clock_ms(transaction: Transaction) -> int:
    """By the clock of the database: all servers share the buckets, and one whose clock is ahead would empty them."""
    return int((await transaction.now()).timestamp() * 1000)


async def count_guess(transaction: Transaction, buckets: tuple[Bucket, ...]) -> int:
    """Counts one attempt. Returns how many seconds to wait if the bucket is full, otherwise 0."""
    now_ms = await clock_ms(transaction)
    for bucket in buckets:
        step = bucket.step_ms
        room = (bucket.guesses - 1) * step
        moment = {"key": bucket.key, "now": now_ms}
        await transaction.execute(_CARRY_OVER, moment | {"clocks_differ": CLOCKS_DIFFER_MS})
        if await transaction.scalar(_TAKE, moment | {"step": step, "room": room}) is None:
            drained_at_ms: int = await transaction.scalar(_DRAINED_AT, {"key": bucket.key})
            return max(1, -(-(drained_at_ms - room - now_ms) // 1000))
    return 0


async def give_back(transaction: Transaction, buckets: tuple[Bucket, ...]) -> None:
    for bucket in buckets:
        await transaction.execute(_GIVE_BACK, {"key": bucket.key, "step": bucket.step_ms})
    # Only rows unused for a day: deleting a row that another login has locked would make the two wait for each other.
    await transaction.execute(_SWEEP, {"long_ago": await clock_ms(transaction) - DAY_MS})


async def forget_strangers(transaction: Transaction, username_key: str) -> None:
    await transaction.execute(_EMPTY, {"key": await _account_key(transaction, username_key)})


def too_many(seconds: int) -> SlowDown:
    return SlowDown("login_throttled", f"Too many attempts. Try again in {_shown(seconds)}.", seconds)


def too_many_numbers(seconds: int) -> SlowDown:
    message = (
        "You have searched for many account and mobile numbers. "
        f"Try again in {_shown(seconds)}, or search for the client's name."
    )
    return SlowDown("too_many_number_searches", message, seconds)


def too_many_reveals(seconds: int) -> SlowDown:
    message = f"You have revealed many account and mobile numbers. Try again in {_shown(seconds)}."
    return SlowDown("too_many_reveals", message, seconds)


def _shown(seconds: int) -> str:
    if seconds >= 90:
        return f"{-(-seconds // 60)} minutes"
    return "a second" if seconds == 1 else f"{seconds} seconds"
