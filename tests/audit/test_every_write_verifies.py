"""After every kind of write, `audit verify` finds nothing wrong: a false alarm would teach operators to ignore it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.audit.every_write import do_everything
from tests.audit.sealed import audit, seal_and_sign
from tests.audit.test_verbs import WRITTEN
from tests.databases import Template
from tests.desk import Desk
from tests.webhooks.conftest import LOOPBACK
from tests.webhooks.receiver import Receiver

# Only of an empty desk, of a whole one, of a large one, of an upgraded one, or of one with rows without a seal:
# test_verifying.py, test_accepting.py, test_baselines.py, tests/backups and tests/partitions check them.
NOT_HERE = {
    "audit.accepted",
    "audit.numbering_set_back",
    "baseline.recorded",
    "demo.filled",
    "backup.made",
    "backup.restored",
    "partition.made",
}


@pytest.fixture
def template(migrated: Template) -> Template:
    return Template(migrated.url, {})


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    return open_desk(webhook_private_targets=LOOPBACK)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


def test_every_write_of_every_room_agrees_with_the_log(
    desk: Desk, receiver: Receiver, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    do_everything(desk, receiver, monkeypatch)
    assert {row.verb for row in desk.audit()} == WRITTEN - NOT_HERE
    seal_and_sign(desk, tmp_path)
    verified = audit(database_url, tmp_path, "verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    # Each of them tells all that is compared.
    assert "does not tell" not in verified.stdout
    export = tmp_path / "export.jsonl"
    assert audit(database_url, tmp_path, "export", str(export)).returncode == 0
    alone = audit("sqlite:///never.db", tmp_path / "elsewhere", "verify", "--export", str(export))
    assert alone.returncode == 0, alone.stdout + alone.stderr
