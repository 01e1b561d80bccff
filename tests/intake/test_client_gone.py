"""A client that goes away while it sends: nothing is stored, and the log does not blame the server."""

import json

from sqlalchemy import func, select

from countinghouse.purchases.tables import purchases
from tests.core.sockets import connected
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.intake.pushing import add_key
from tests.servers import started_server
from tests.waiting import eventually


@on_one_engine
def test_a_client_that_goes_away_while_it_sends_is_no_error_of_the_server(desk: Desk) -> None:
    key = add_key(desk)
    settings = {"COUNTINGHOUSE_LOG_LEVEL": "info", "COUNTINGHOUSE_LOG_FORMAT": "json"}
    with started_server(desk.settings.database, program=None, **settings) as server:
        for method, path in (("POST", "/api/intake/purchases"), ("PUT", "/api/intake/purchases/p-1/proof")):
            with connected(server.port) as client:
                head = (
                    f"{method} {path} HTTP/1.1\r\nHost: desk\r\nAuthorization: Bearer {key}\r\nIdempotency-Key: one\r\n"
                )
                client.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n[{{".encode())

        def answered() -> list[int]:
            lines = [json.loads(line) for line in server.said().splitlines() if line.startswith("{")]
            return [line["status"] for line in lines if line.get("event") == "request" and "intake" in line["route"]]

        eventually(lambda: len(answered()) == 2)
        assert answered() == [400, 400]
        assert "Traceback" not in server.said()
    assert desk.rows(select(func.count()).select_from(purchases)) == [(0,)]
