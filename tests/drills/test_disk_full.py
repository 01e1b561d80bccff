"""The short form of a drill: `make drill` fills the disk ten times."""

from drills.disk_full import run_full


def test_a_full_disk_causes_503_and_service_recovers_when_there_is_space(engine: str) -> None:
    outcome = run_full(engine, times=1, is_long=False)
    assert outcome.faults == [], str(outcome)
    assert any(noted.status == 503 for noted in outcome.notes)
