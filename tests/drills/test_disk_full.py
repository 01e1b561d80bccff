"""Ten full disks are a drill (`make drill`); this is its short form."""

from drills.disk_full import run_full


def test_a_full_disk_is_refused_honestly_and_service_returns_with_room(engine: str) -> None:
    outcome = run_full(engine, times=1, is_long=False)
    assert outcome.faults == [], str(outcome)
    assert any(noted.status == 503 for noted in outcome.notes)
