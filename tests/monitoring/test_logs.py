"""The log in JSON: every line of the start, of requests and of errors, without anything about the service's clients."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from countinghouse import __version__
from countinghouse.core.logs import configure_logs, without_row_values
from tests.core.sockets import connected, read_answer
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.intake.pushing import add_key, push_one_of_each, pushed
from tests.servers import started_server
from tests.waiting import eventually

TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.fixture(autouse=True)
def logs_stay_as_they_were() -> Iterator[None]:
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.fixture
def logging_desk(open_desk: Callable[..., Desk]) -> Desk:
    return open_desk(log_format="json")


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@on_one_engine
def test_a_request_is_logged_with_its_route_its_admin_and_its_error(
    logging_desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    claim_id = logging_desk.add_claim()
    answer = logging_desk.move(claim_id, "Rejected")
    logging_desk.get("/api/claims/all", by=None)
    moved, read = lines(capsys)
    assert moved["request_id"] == answer.headers["x-request-id"]
    assert (moved["route"], moved["by"], moved["error"]) == ("/api/claims/{claim_id}/status", "asha", "invalid_input")
    assert (moved["status"], moved["method"]) == (422, "PUT")
    assert (read["route"], read["error"]) == ("/api/claims/all", "session_required")
    assert "by" not in read


@on_one_engine
def test_a_key_is_named_and_nothing_of_the_clients_is(logging_desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    key = add_key(logging_desk)
    push_one_of_each(logging_desk, key)
    pushed(logging_desk, key, "users", {"externalId": "9805756091", "username": "Ananya Iyer", "mobile": "9805756091"})
    change = {"version": 0, "username": "Ananya Menon"}
    answer = logging_desk.call("PUT", "/api/intake/users/9805756091", by=key, json=change)
    assert answer.status_code == 200, answer.text
    logging_desk.get("/api/users?q=Ananya")
    written = capsys.readouterr().out
    assert json.loads(written.splitlines()[-2])["by"] == "key app"
    for word in ("9805756091", "Ananya", "Client", "0045", key):
        assert word not in written


@on_one_engine
@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"X-Request-Id": "req_4f.a-9:1"}, "req_4f.a-9:1"),
        ({"X-Request-Id": "x" * 64}, "x" * 64),
        ({"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}, TRACE),
        ({"X-Request-Id": "mine", "traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}, "mine"),
        ({"X-Request-Id": "x" * 65}, None),
        ({"X-Request-Id": "one two"}, None),
        ({"X-Request-Id": '{"event":"forged"}'}, None),
        ({"traceparent": f"00-{'0' * 32}-b7ad6b7169203331-01"}, None),
        ({"traceparent": f"00-{TRACE.upper()}-b7ad6b7169203331-01"}, None),
    ],
)
def test_the_id_of_a_request_is_kept_if_it_is_well_formed(
    logging_desk: Desk, capsys: pytest.CaptureFixture[str], headers: dict[str, str], expected: str | None
) -> None:
    answer = logging_desk.get("/healthz", headers=headers)
    (line,) = lines(capsys)
    sent = answer.headers["x-request-id"]
    assert line["request_id"] == sent
    assert sent == expected if expected else len(sent) == 16 and sent not in headers.values()
    assert line.get("trace_id") == (TRACE if TRACE in headers.get("traceparent", "") else None)


def test_the_values_of_a_row_are_left_out_of_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("json")
    detail = 'null value in column "ifsc"\nDETAIL:  Failing row contains (004512345678, Ananya).'
    assert without_row_values(f"{detail}\nCONTEXT: x") == 'null value in column "ifsc"\nCONTEXT: x'
    try:
        raise ValueError(detail)
    except ValueError:
        structlog.get_logger().exception("request_failed")
    (line,) = lines(capsys)
    assert "ValueError: null value" in line["exception"]
    assert "Ananya" not in line["exception"]


def test_every_line_of_a_start_and_of_the_protocol_is_json(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"COUNTINGHOUSE_LOG_FORMAT": "json", "COUNTINGHOUSE_LOG_LEVEL": "warning"}
    with started_server(f"sqlite:///{tmp_path}/desk.db", **settings) as server:
        with connected(server.port) as client:
            client.sendall(b"NOT HTTP\r\n\r\n")
            assert read_answer(client).startswith(b"HTTP/1.1 400 ")
        eventually(lambda: "protocol_error" in server.said())
        written = [json.loads(line) for line in server.said().splitlines()]
    start = [line for line in written if line["event"] in ("setup_link", "serving")]
    assert [line["version"] for line in start] == [__version__] * 2
    assert start[0]["link"].startswith(f"{server.url}/Invite#")
    refused = next(line for line in written if line["event"] == "protocol_error")
    assert (refused["status"], refused["error"], refused["peer"]) == (400, "bad_request", "127.0.0.1")
    assert not any(line["event"] == "request" for line in written)
