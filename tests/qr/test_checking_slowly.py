"""A check whose picture process was too slow knows nothing about the picture, and raises no alarm of a swapped code."""

from collections.abc import AsyncIterator, Callable

import pytest

from countinghouse.core.db import Reader
from countinghouse.qr.health import find_changed_readings, find_wrong_drawings
from countinghouse.qr.picture_client import NotRead, PictureWorker
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.event_loop import run
from tests.pictures import qr_png


@on_one_engine
@pytest.mark.parametrize("check", [find_changed_readings, find_wrong_drawings])
def test_a_picture_that_was_not_read_in_time_is_not_called_changed(
    desk: Desk, check: Callable[[Reader], AsyncIterator[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert desk.upload(qr_png()).status_code == 200

    async def sentences(reader: Reader) -> list[str]:
        return [sentence async for sentence in check(reader)]

    assert run(desk.app_database.read(sentences)) == []

    def too_slow(_worker: PictureWorker, _png: bytes) -> None:
        raise NotRead

    monkeypatch.setattr(PictureWorker, "read", too_slow)
    (said,) = run(desk.app_database.read(sentences))
    assert "could not be read in time, so nothing is known about it: check again" in said
