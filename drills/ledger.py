"""Compares the moves that clients know of with those in the database: nothing lost, nothing twice."""

from collections import Counter
from dataclasses import dataclass, field

from sqlalchemy import select

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions, claims
from tests.direct_database import DirectDatabase

Move = tuple[str, str]


@dataclass
class Ledger:
    """The acknowledged moves: claims and the statuses they were moved to."""

    acknowledged: set[Move] = field(default_factory=set)

    def find_faults(self, database_url: str) -> list[str]:
        database = DirectDatabase(database_url)
        try:
            with database.reading() as connection:
                rows = connection.execute(select(claim_transitions.c.claim_id, claim_transitions.c.to_status))
                stored = Counter((claim_id, status) for claim_id, status in rows)
                logged = Counter(
                    connection.execute(
                        select(audit_log.c.subject_id).where(audit_log.c.verb == "claim.moved")
                    ).scalars()
                )
                versions = connection.execute(select(claims.c.id, claims.c.version)).all()
        finally:
            database.close()
        faults = [f"lost: {move} was acknowledged" for move in sorted(self.acknowledged) if not stored[move]]
        faults += [f"doubled: {move} is stored {times} times" for move, times in stored.items() if times > 1]
        moved = Counter(claim_id for claim_id, _ in stored.elements())
        for claim_id, version in versions:
            if not moved[claim_id] == logged[claim_id] == version:
                counts = f"{moved[claim_id]} moves, {logged[claim_id]} audit rows and version {version}"
                faults.append(f"not whole: {claim_id} has {counts}")
        return faults
