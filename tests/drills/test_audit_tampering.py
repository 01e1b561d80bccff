"""The short form of a drill: `make drill` alters the log a thousand times in each way."""

from drills.audit_tampering import ATTACKS, tamper


def test_every_alteration_of_the_audit_log_is_found(database_url: str) -> None:
    result = tamper(database_url, each=20)
    assert result.missed == []
    assert result.found == dict.fromkeys(ATTACKS, 20)
