"""Each alert fires when its condition is true, and none otherwise. promtool decides, from real scrapes of a desk."""

import json
import math
import re
import subprocess
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from sqlalchemy import insert

from countinghouse.core.metrics import Sampler
from countinghouse.core.times import now
from countinghouse.monitoring import desk_metrics
from countinghouse.webhooks.tables import webhook_outbox
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.event_loop import run
from tests.house.repository import ROOT
from tests.monitoring.scraping import metered, samples, scrape

RULES = ROOT / "ops/alerts.yaml"
ALERTS = [rule["alert"] for rule in yaml.safe_load(RULES.read_text())["groups"][0]["rules"]]

pytestmark = on_one_engine


@cache
def promtool() -> str:
    found = subprocess.run([ROOT / "scripts/ensure_promtool"], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return found.stdout.strip()


@pytest.fixture
def healthy(open_desk: Callable[..., Desk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk about which there is nothing to tell: the disk is half full, there is a backup, all is sealed."""
    set_disk(monkeypatch, 0.5)
    desk = metered(open_desk, data_dir=tmp_path)
    set_backup(tmp_path, timedelta(hours=2))
    seal(desk)
    return desk


def set_disk(monkeypatch: pytest.MonkeyPatch, free: float) -> None:
    disk = SimpleNamespace(total=1e12, free=free * 1e12)
    monkeypatch.setattr(desk_metrics, "shutil", SimpleNamespace(disk_usage=lambda _: disk))


def set_backup(folder: Path, age: timedelta) -> None:
    noted = {"at": (now() - age).isoformat(), "path": "backup", "bytes": 1}
    (folder / "last-backup.json").write_text(json.dumps(noted))


def seal(desk: Desk) -> None:
    from countinghouse.audit.sealing import seal_some

    run(desk.app_database.write(seal_some))


def check_firing(expected: set[str], before: str, after: str, folder: Path) -> None:
    """What was counted between the two scrapes goes on for two hours, minute by minute, and states stay as they are."""
    old, new = samples(before), samples(after)
    asked = [
        {
            "expr": f'sgn(count(ALERTS{{alertname="{name}",alertstate="firing"}}) or vector(0))',
            "eval_time": "119m",
            "exp_samples": [{"labels": "{}", "value": int(name in expected)}],
        }
        for name in ALERTS
    ]
    series = [{"series": name, "values": _values(name, old.get(name, 0), value)} for name, value in new.items()]
    test = {"interval": "1m", "input_series": series, "promql_expr_test": asked}
    file = folder / "alerts-test.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": [test]}))
    ended = subprocess.run([promtool(), "test", "rules", file], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def _values(name: str, old: float, new: float) -> str:
    if re.search("_(total|count|sum|bucket)($|{)", name):
        return f"{old!r}+{new - old!r}x120"
    return " ".join(["Inf"] * 121) if math.isinf(new) else f"{new!r}x120"


def test_a_healthy_desk_raises_no_alert(healthy: Desk, tmp_path: Path) -> None:
    check_firing(set(), scrape(healthy), scrape(healthy), tmp_path)


def _fail(desk: Desk) -> None:
    database = desk.app_database
    database.url = database.url.set(database="/nonexistent/desk.db")
    database.close()
    for _ in range(20):
        assert desk.get("/readyz").status_code == 503


def _exhaust(desk: Desk) -> None:
    from countinghouse.core.errors import Busy

    lane = desk.app_database.lanes["long"]
    lane._wait_seconds = 0.01
    sampler = Sampler(lambda: {"database_long": lane}, lambda: 0)

    async def fill() -> None:
        held = [await lane.enter() for _ in range(lane.places)]
        for _ in range(3):
            with pytest.raises(Busy):
                await lane.enter()
        for caller in held:
            lane.leave(caller)

    run(fill())
    sampler.sample()


def _let_outbox_grow_old(desk: Desk) -> None:
    row = {"at": now() - timedelta(minutes=20), "verb": "claim.moved", "subject_id": "x"}
    desk.change(insert(webhook_outbox).values(row))


def _leave_unsealed(desk: Desk) -> None:
    from countinghouse.audit.tables import audit_log

    row = {"at": now() - timedelta(minutes=20), "actor": "asha", "verb": "claim.moved", "subject_id": "x"}
    desk.change(insert(audit_log).values(row))


def _guess(desk: Desk) -> None:
    for _ in range(40):
        asked = {"username": "asha", "password": "not this one"}
        assert desk.call("POST", "/api/admin/login", by=None, json=asked).status_code in (401, 429)
    seal(desk)


def _age_claim(desk: Desk) -> None:
    desk.add_claim(created_at=now() - timedelta(days=5))


CONDITIONS: dict[str, Any] = {
    "CountinghouseDatabaseDown": lambda desk, _monkeypatch, _folder: _fail(desk),
    "CountinghouseServerErrors": lambda desk, _monkeypatch, _folder: _fail(desk),
    "CountinghousePoolExhausted": lambda desk, _monkeypatch, _folder: _exhaust(desk),
    "CountinghouseChainUnsealed": lambda desk, _monkeypatch, _folder: _leave_unsealed(desk),
    "CountinghouseBackupOld": lambda _desk, _monkeypatch, folder: set_backup(folder, timedelta(hours=25)),
    "CountinghouseDiskFull": lambda _desk, monkeypatch, _folder: set_disk(monkeypatch, 0.09),
    "CountinghouseOutboxOld": lambda desk, _monkeypatch, _folder: _let_outbox_grow_old(desk),
    "CountinghouseQueueOld": lambda desk, _monkeypatch, _folder: _age_claim(desk),
    "CountinghouseLoginsRefused": lambda desk, _monkeypatch, _folder: _guess(desk),
}


@pytest.mark.parametrize("alert", ALERTS)
def test_an_alert_fires_when_its_condition_is_true(
    healthy: Desk, alert: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = scrape(healthy)
    CONDITIONS[alert](healthy, monkeypatch, tmp_path)
    # Requests that fail for lack of a database are errors too.
    also = {"CountinghouseServerErrors"} if alert == "CountinghouseDatabaseDown" else set()
    also |= {"CountinghouseDatabaseDown"} if alert == "CountinghouseServerErrors" else set()
    check_firing({alert} | also, before, scrape(healthy), tmp_path)


def test_a_desk_without_any_backup_raises_the_alert(healthy: Desk, tmp_path: Path) -> None:
    before = scrape(healthy)
    (tmp_path / "last-backup.json").unlink()
    check_firing({"CountinghouseBackupOld"}, before, scrape(healthy), tmp_path)
