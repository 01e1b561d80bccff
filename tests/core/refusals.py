"""The common shape of every error answer."""

from httpx2 import Response


def assert_refused(answer: Response, status: int, code: str) -> str:
    """Returns the message."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert body["code"] == code
    assert set(body) <= {"code", "message", "fields"}
    assert body["message"][0].isupper() or body.get("fields")
    assert body["message"].endswith(".")
    assert "Traceback" not in answer.text
    return str(body["message"])
