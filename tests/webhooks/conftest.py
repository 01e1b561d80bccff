from collections.abc import Callable, Iterator

import pytest

from tests.desk import Desk
from tests.webhooks.receiver import Receiver

LOOPBACK = "127.0.0.0/8"


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    return open_desk(webhook_private_targets=LOOPBACK)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver
