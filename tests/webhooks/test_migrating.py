"""A desk from before webhooks: nothing that happened then is sent, everything from now on is."""

from pathlib import Path

import pytest
from sqlalchemy import select

from countinghouse.core.migrate import migrate
from countinghouse.webhooks.tables import webhook_outbox
from tests.core.earlier_desks import desk_at
from tests.purchases.purchases import buy
from tests.webhooks.webhooks import add, deliveries, send

REPEATED = '[{"code": "repeated", "of": []}]'
URL = "https://shop.example.invalid/"


def test_only_what_happens_after_the_migration_is_sent(
    blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desk_at("0010", blank_url, tmp_path, monkeypatch) as desk:
        claim_id = desk.add_claim("Accepted")
        for _ in range(2):
            desk.add_purchase(upi_id="631902345678", reference_key="631902345678", findings=REPEATED)
        migrate(desk.database)
        assert desk.rows(select(webhook_outbox)) == []
        add(desk, URL)
        assert desk.move(claim_id, "Paid").status_code == 200
        buy(desk, "631902345678")
        send(desk)
        assert sorted(one["type"] for one in deliveries(desk)) == ["claim.paid", "purchase.flagged"]
        assert {one["state"] for one in deliveries(desk)} == {"waiting"}
