"""Uploading, displaying and hiding codes through the API, also at the same time."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from httpx2 import Response
from sqlalchemy import select

from countinghouse.qr.tables import qr_displays
from tests.desk import Desk
from tests.pictures import code_for


def display(desk: Desk, qr_id: str, by: str = "asha", **more: Any) -> Response:
    return desk.call("PATCH", f"/api/qr/status/{qr_id}", by=by, json={"status": "display", **more})


def hide(desk: Desk, qr_id: str, by: str = "asha", **more: Any) -> Response:
    return desk.call("PATCH", f"/api/qr/status/{qr_id}", by=by, json={"status": "hide", **more})


def add(desk: Desk, name: str) -> str:
    address = f"{name}@okbank"
    return str(desk.upload(code_for(address), name=name, upi_id=address).json()["_id"])


def on_display(desk: Desk) -> set[str]:
    """What customers see. It must agree with the periods of display."""
    shown = {code["_id"] for code in desk.get("/api/qr", by=None).json()}
    assert shown == {row.qr_id for row in desk.rows(select(qr_displays).where(qr_displays.c.hidden_at.is_(None)))}
    return shown


def together(*calls: Any) -> list[Any]:
    barrier = Barrier(len(calls), timeout=60)

    def run(call: Any) -> Any:
        barrier.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [one.result() for one in [pool.submit(run, call) for call in calls]]
