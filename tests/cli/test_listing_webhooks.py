"""`countinghouse webhook list`, through the real command."""

from tests.cli.command import countinghouse
from tests.desk import Desk


def test_the_operator_sees_where_events_are_sent_but_no_secret(database_url: str, desk: Desk) -> None:
    assert "no webhooks" in countinghouse(database_url, "webhook", "list").stdout
    body = {"url": "https://shop.example.in/", "events": ["claim.paid"]}
    added = desk.call("POST", "/api/webhooks", json=body).json()
    ended = countinghouse(database_url, "webhook", "list")
    assert (ended.returncode, ended.stderr) == (0, "")
    for shown in (added["endpoint"]["_id"], added["endpoint"]["url"], "claim.paid", "enabled, 0 waiting"):
        assert shown in ended.stdout
    assert added["secret"][6:] not in ended.stdout
    desk.call("PUT", f"/api/webhooks/{added['endpoint']['_id']}", json=body | {"isEnabled": False})
    assert "Disabled by asha." in countinghouse(database_url, "webhook", "list").stdout
