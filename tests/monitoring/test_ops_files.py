"""The files in ops/ keep their promises. Docker and systemd are not needed for that; systemd's checker is used if it is
there."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from configparser import ConfigParser
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path
from typing import Any

import yaml

from countinghouse.settings import Settings
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.house.repository import ROOT, files, text_of
from tests.monitoring.scraping import metered, names, scrape

OPS = ROOT / "ops"
METRIC = re.compile(r"\bcountinghouse_[a-z_]+")
SETTING = re.compile(r"\bCOUNTINGHOUSE_[A-Z_]+")


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((OPS / "compose.yaml").read_text())
    return read


@on_one_engine
def test_every_metric_of_the_dashboard_and_the_alerts_is_exported_with_its_labels(
    open_desk: Callable[..., Desk],
) -> None:
    desk = metered(open_desk)
    desk.get("/api/nothing")
    from countinghouse.core.metrics import Sampler

    lanes = desk.app_database.lanes
    Sampler(lambda: lanes, lambda: 0).sample()
    text = scrape(desk)
    # Never counted in a desk that was not used, but declared.
    declared = set(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE))
    known = names(text) | declared | {f"{name}_bucket" for name in declared}
    dashboard = json.loads((OPS / "grafana-dashboard.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    rules = yaml.safe_load((OPS / "alerts.yaml").read_text())["groups"][0]["rules"]
    asked += [rule["expr"] for rule in rules]
    assert len(asked) > 30
    assert {name for expression in asked for name in METRIC.findall(expression)} - known == set()
    shown = {name for expression in asked for name in METRIC.findall(expression)}
    exposed = {name.removesuffix("_bucket").removesuffix("_count").removesuffix("_sum") for name in names(text)}
    assert {name for name in exposed if name not in {each.removesuffix("_bucket") for each in shown}} == set()
    labels = {label for expression in asked for label in re.findall(r"by \(([^)]*)\)", expression)}
    exported = set(re.findall(r'[{,](\w+)="', text)) | {"code", "le"}
    assert {one.strip() for label in labels for one in label.split(",")} <= exported


def test_every_alert_says_what_to_do() -> None:
    for rule in yaml.safe_load((OPS / "alerts.yaml").read_text())["groups"][0]["rules"]:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert set(rule["annotations"]) == {"summary", "action"}, rule["alert"]


def test_every_setting_in_ops_exists() -> None:
    known = {f"COUNTINGHOUSE_{field}".upper() for field in Settings.model_fields}
    named = {word for name in files() if name.startswith("ops/") for word in SETTING.findall(text_of(name))}
    assert named
    assert named - known == set()


def test_the_image_runs_as_nobody_in_particular_and_says_whether_it_is_well() -> None:
    stages = re.split(r"^FROM ", (OPS / "Dockerfile").read_text(), flags=re.MULTILINE)[1:]
    assert len(stages) == 3
    last = stages[-1]
    assert re.search(r"^USER 10001$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert "/healthz" in last
    # What builds is left behind in the other stages.
    assert not re.search(r"\b(npm|pip|gcc)\b", last)
    assert re.findall(r"apt-get install (.+?) *\\?$", last, re.MULTILINE) == [
        "--yes --no-install-recommends postgresql-client"
    ]
    assert re.search(r'^ENTRYPOINT \["countinghouse"\]$', last, re.MULTILINE)
    # Everything that is copied is in the repository, and Docker is allowed to see it.
    allowed = [line[1:] for line in (OPS / "Dockerfile.dockerignore").read_text().splitlines() if line.startswith("!")]
    for line in re.findall(r"^COPY (?!--from)(.+)$", "".join(stages), re.MULTILINE):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), source
            assert any(source == name or source.startswith(f"{name}/") for name in allowed), source


def test_the_services_of_compose_are_hardened_and_wait_for_each_other() -> None:
    services = compose()["services"]
    assert set(services) == {"desk", "postgres", "caddy"}
    desk = services["desk"]
    assert desk["read_only"] is True
    assert desk["cap_drop"] == ["ALL"]
    assert "ports" not in desk
    assert "ports" not in services["postgres"]
    assert desk["depends_on"]["postgres"]["condition"] == "service_healthy"
    assert "healthcheck" in services["postgres"]
    assert all("no-new-privileges:true" in service["security_opt"] for service in services.values())
    caddy = services["caddy"]["networks"]["inside"]["ipv4_address"]
    assert desk["environment"]["COUNTINGHOUSE_TRUSTED_PROXIES"] == f"{caddy}/32"
    # The same values, so that the server accepts them.
    values = {name: _filled(value) for name, value in desk["environment"].items()}
    fields: dict[str, Any] = {name.removeprefix("COUNTINGHOUSE_").lower(): value for name, value in values.items()}
    assert Settings(_env_file=None, **fields).public_url == "https://desk.example.in"
    mounted = {volume.split(":")[0] for service in services.values() for volume in service["volumes"]}
    assert {name for name in mounted if not name.startswith(".")} == set(compose()["volumes"])


def test_docker_gives_the_address_of_the_trusted_proxy_to_nobody_else() -> None:
    (config,) = compose()["networks"]["inside"]["ipam"]["config"]
    caddy = IPv4Address(compose()["services"]["caddy"]["networks"]["inside"]["ipv4_address"])
    assert caddy in IPv4Network(config["subnet"])
    assert caddy not in IPv4Network(config["ip_range"])
    assert IPv4Network(config["ip_range"]).subnet_of(IPv4Network(config["subnet"]))
    assert str(caddy) != config["gateway"]


def test_the_desk_in_docker_can_be_backed_up() -> None:
    image = (OPS / "Dockerfile").read_text()
    services = compose()["services"]
    # The client of this Debian is of the server's version; an older pg_dump refuses a newer server.
    assert set(re.findall(r"^FROM (python\S+)", image, re.MULTILINE)) == {"python:3.13-slim-trixie"}
    assert services["postgres"]["image"] == "postgres:17"
    # A new volume gets the owner of the folder in the image.
    assert re.search(r"install -d -o desk -g desk -m 700 /data /backups$", image, re.MULTILINE)
    assert "desk-backups:/backups" in services["desk"]["volumes"]
    guide = text_of("docs/operating.md")
    assert "docker compose -f ops/compose.yaml exec desk countinghouse backup /backups --keep 14" in guide


def _filled(value: str) -> str:
    return value.replace("${DESK_HOST:?}", "desk.example.in").replace("${DESK_DATABASE_PASSWORD:?}", "secret")


def test_the_guide_starts_compose_with_the_variables_that_it_needs() -> None:
    needed = set(re.findall(r"\$\{(\w+):\?\}", (OPS / "compose.yaml").read_text()))
    line = next(
        line for line in text_of("docs/operating.md").splitlines() if "docker compose -f ops/compose.yaml up" in line
    )
    assert needed == set(re.findall(r"(DESK_[A-Z_]+)=", line))


def test_the_proxy_passes_everything_on_but_the_metrics() -> None:
    text = (OPS / "Caddyfile").read_text()
    assert text.count("{") == text.count("}")
    assert "reverse_proxy desk:8000" in text
    assert "respond /metrics 404" in text


def unit() -> ConfigParser:
    read = ConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read(OPS / "countinghouse.service")
    return read


def test_the_unit_is_hardened() -> None:
    service = unit()["Service"]
    for name in (
        "NoNewPrivileges",
        "ProtectHome",
        "PrivateTmp",
        "PrivateDevices",
        "ProtectClock",
        "ProtectKernelModules",
        "ProtectKernelTunables",
        "ProtectKernelLogs",
        "ProtectControlGroups",
        "RestrictNamespaces",
        "RestrictRealtime",
        "RestrictSUIDSGID",
        "LockPersonality",
    ):
        assert service[name] == "yes", name
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == ""
    assert service["User"] != "root"
    assert service["UMask"] == "0077"
    # The server says that it ends within 15 seconds.
    assert int(service["TimeoutStopSec"]) > 15
    assert service["ExecStart"].endswith("/bin/countinghouse serve")
    assert f"COUNTINGHOUSE_DATA_DIR={service['WorkingDirectory']}" in service["Environment"]
    assert service["WorkingDirectory"] == f"/var/lib/{service['StateDirectory']}"


def test_systemd_accepts_the_timer(tmp_path: Path) -> None:
    for name in ("countinghouse-partition.service", "countinghouse-partition.timer"):
        text = (OPS / name).read_text().replace("/opt/countinghouse/bin/countinghouse", shutil.which("true") or "true")
        (tmp_path / name).write_text(text)
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        return
    timer = tmp_path / "countinghouse-partition.timer"
    verified = subprocess.run([analyze, "verify", "--man=no", timer], capture_output=True, text=True, check=False)
    assert "countinghouse-partition" not in verified.stderr, verified.stderr


def test_systemd_accepts_the_unit_and_finds_little_exposed(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    copy = tmp_path / "countinghouse.service"
    text = (OPS / "countinghouse.service").read_text()
    # It asks for the program, and for the user.
    copy.write_text(re.sub("/opt/countinghouse/bin/countinghouse", shutil.which("true") or "/bin/true", text))
    if analyze is None:
        return
    verified = subprocess.run([analyze, "verify", "--man=no", copy], capture_output=True, text=True, check=False)
    assert "countinghouse.service:" not in verified.stderr, verified.stderr
    found = subprocess.run(
        [analyze, "security", "--offline=true", "--no-pager", copy], capture_output=True, text=True, check=False
    )
    level = re.search(r"Overall exposure level for countinghouse.service: ([0-9.]+)", found.stdout)
    assert level is not None, found.stdout + found.stderr
    assert float(level[1]) < 2.0, found.stdout
