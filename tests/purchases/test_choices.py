"""The values that the filters of the purchases offer."""

from tests.desk import Desk


def test_without_purchases_there_are_no_choices(desk: Desk) -> None:
    assert desk.get("/api/purchases/choices").json() == {"claimType": [], "qrName": []}


def test_choices_are_distinct_and_sorted(desk: Desk) -> None:
    for kind, name in (("Weekly", "Desk 2"), ("Daily", "Desk 10"), ("Weekly", "डेस्क 3"), ("daily", "Desk 2")):
        desk.add_purchase(claim_type=kind, qr_name=name)
    assert desk.get("/api/purchases/choices").json() == {
        "claimType": ["Daily", "Weekly", "daily"],
        "qrName": ["Desk 10", "Desk 2", "डेस्क 3"],
    }


def test_every_choice_finds_its_purchases(desk: Desk) -> None:
    for kind, name in (("Weekly", "Desk 2"), ("Daily", "50% & more"), ("Daily", "Desk 2")):
        desk.add_purchase(claim_type=kind, qr_name=name)
    choices = desk.get("/api/purchases/choices").json()
    for filter_name, values in choices.items():
        found = [len(desk.get("/api/purchases/all", params={filter_name: value}).json()) for value in values]
        assert sum(found) == 3
        assert 0 not in found


def test_choices_are_only_for_admins(desk: Desk) -> None:
    assert desk.get("/api/purchases/choices", by=None).status_code == 401
