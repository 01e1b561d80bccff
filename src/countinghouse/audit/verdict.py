"""What `audit verify` found."""

from dataclasses import dataclass, field

# Further problems are only counted.
MOST_NAMED = 20


class CannotVerify(Exception):
    """There is nothing to check, or nothing to check it with."""


@dataclass
class Verdict:
    """`problems` are sentences, the first bad row first. `unchecked` says what could not be checked, and what to do."""

    problems: list[str] = field(default_factory=list)
    more_problems: int = 0
    unchecked: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    key: str = ""
    sealed: int = 0
    unsealed: int = 0
    checkpoints: int = 0
    checkpointed: int = 0
    records: int = 0

    def tell(self, problem: str) -> None:
        if len(self.problems) < MOST_NAMED:
            self.problems.append(problem)
        else:
            self.more_problems += 1
