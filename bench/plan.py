"""How much is measured: the sizes of the databases, and how long each lane runs."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Size:
    users: int
    purchases: int
    claims: int


@dataclass(frozen=True)
class Plan:
    large: Size
    listed: Size
    small: Size
    rounds: int
    # The CPU time that a lane's round should take; cheap requests are repeated until it does.
    seconds_a_round: float
    most_calls_a_round: int
    list_rounds: int
    fresh_starts: int
    is_quick: bool

    def with_at_most(self, calls: int) -> "Plan":
        return replace(self, most_calls_a_round=max(1, min(calls, self.most_calls_a_round)))


FULL = Plan(
    large=Size(100_000, 300_000, 1_000_000),
    listed=Size(10_000, 30_000, 100_000),
    small=Size(1_000, 3_000, 10_000),
    rounds=7,
    seconds_a_round=1.0,
    most_calls_a_round=1_000,
    list_rounds=3,
    fresh_starts=3,
    is_quick=False,
)
QUICK = Plan(
    large=Size(2_000, 6_000, 20_000),
    listed=Size(1_000, 3_000, 10_000),
    small=Size(100, 300, 1_000),
    rounds=5,
    seconds_a_round=0.3,
    most_calls_a_round=200,
    list_rounds=2,
    fresh_starts=1,
    is_quick=True,
)
CONNECTIONS = 4
WARM_UP_ROUNDS = 2
# If two lanes of the same program differ by more than this, the machine was too busy for a valid result.
LARGEST_DIFFERENCE_OF_EQUALS = 0.05
