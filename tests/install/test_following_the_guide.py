"""docs/install.md, followed to the letter: outside of the repository, with the wheel in an environment of its own.

It is one test, so that the wheel is built and installed once. What the guide does as root before it begins (packages,
a user, its folder) is prepared here; Caddy and PostgreSQL listen on other ports than on a server.
"""

import os
import re
import secrets
import shutil
import ssl
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from countinghouse import __version__
from tests.house.repository import ROOT
from tests.install.following import Operator, placeholders, sections
from tests.install.owner import NAME, Owner, link_in, open_browser, speaks_http2
from tests.install.packages import pack_requirements
from tests.install.wheels import build_wheel, make_later_wheel, newest_migration
from tests.postgres_cluster import find_programs
from tests.servers import free_port

LATER = f"{__version__}.post1"
# Caddy and the desk are at 127.0.0.1.
VISITOR = "127.0.0.2"
# Nothing of this checkout, and no setting of the developer's, may be found by accident.
OURS = ("COUNTINGHOUSE_", "PYTHON", "PG", "VIRTUAL_ENV", "XDG_")


def clean_environment(packages: Path) -> dict[str, str]:
    caddy = subprocess.run([ROOT / "scripts/ensure_caddy"], check=True, capture_output=True, text=True).stdout.strip()
    path = [f"{sys.base_prefix}/bin", str(find_programs()), str(Path(caddy).parent)]
    path += [folder for folder in os.environ["PATH"].split(os.pathsep) if folder != f"{sys.prefix}/bin"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    # "0" tells pip not to compile what may never be imported.
    pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(packages), "PIP_NO_COMPILE": "0"}
    return kept | pip | {"PATH": os.pathsep.join(path)}


@pytest.fixture
def superuser(postgres_url: str) -> Iterator[dict[str, str]]:
    """What makes psql a superuser, as it is on a server for the user postgres."""
    url = urlsplit(postgres_url)
    login = {"PGUSER": url.username or "", "PGPASSWORD": url.password or "", "PGDATABASE": "postgres"}
    yield login | {"PGHOST": url.hostname or "", "PGPORT": str(url.port)}
    with closing(psycopg.connect(postgres_url, autocommit=True)) as connection:
        connection.execute("DROP DATABASE IF EXISTS desk WITH (FORCE)")
        connection.execute("DROP DATABASE IF EXISTS desk_restored WITH (FORCE)")
        connection.execute("DROP ROLE IF EXISTS desk")


@pytest.fixture
def operator(tmp_path: Path, superuser: dict[str, str]) -> Iterator[Operator]:
    folder = tmp_path / "desk"
    folder.mkdir(mode=0o700)
    ports: set[int] = set()
    while len(ports) < 3:
        ports.add(free_port())
    desk, https, http = map(str, ports)
    own = {
        "/opt/countinghouse": str(tmp_path / "program"),
        "/var/lib/countinghouse": str(folder),
        "VERSION": __version__,
        "NEW_VERSION": LATER,
        "DESK_DOMAIN": f"localhost:{https}",
        "DATABASE_PASSWORD": secrets.token_hex(24),
        "8000": desk,
        "5432": superuser["PGPORT"],
        "8080": http,
    }
    assert set(own) == placeholders()
    pack_requirements("countinghouse", tmp_path / "packages")
    someone = Operator(folder, own, clean_environment(tmp_path / "packages"))
    yield someone
    someone.close()
    # pytest keeps the folders of three runs, and this one is large.
    shutil.rmtree(tmp_path / "packages")


def test_the_guide_leads_from_an_empty_folder_to_a_restored_and_upgraded_desk(
    operator: Operator, superuser: dict[str, str], tmp_path: Path
) -> None:
    wheel = build_wheel(operator.folder)
    check_contents(wheel)
    make_later_wheel(wheel, __version__, LATER)

    operator.follow("Install")
    on_sqlite(operator)
    operator.follow("PostgreSQL", **superuser)
    with behind_caddy(operator, tmp_path / "caddy") as owner:
        owner.push_claims("c-1", "c-2", "c-3")
        first, second, third = owner.claims()
        owner.move(first, "Accepted", "Paid")
        owner.move(second, "Accepted")
        totals = back_up(operator)
        owner.move(second, "Paid")

        assert totals_in(operator.follow("Restore", **superuser)) == totals
        owner.log_in()
        assert statuses(owner) == {first: "Paid", second: "Accepted", third: "Pending"}
        owner.move(second, "Paid")

        upgraded = operator.follow("Upgrade")
        newest = newest_migration().split("_")[0]
        assert f"From {newest} to 9999: 1 to apply." in upgraded
        assert "Something that the next release needs." in upgraded
        owner.log_in()
        assert owner.call("GET", "/api/version") == {"version": LATER}
        assert statuses(owner) == {first: "Paid", second: "Paid", third: "Pending"}
    assert operator.followed == list(sections())


def check_contents(wheel: Path) -> None:
    assert wheel.name == f"countinghouse-{__version__}-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    assert "countinghouse/web/index.html" in names
    assert f"countinghouse/migrations/versions/{newest_migration()}" in names
    assert not [name for name in names if "test" in name or "__pycache__" in name]


def on_sqlite(operator: Operator) -> None:
    link = link_in(operator.follow("Start, and become the owner"))
    with open_browser(link.split("/Invite")[0], "127.0.0.1") as owner:
        owner.accept(link)
        owner.push_claims("c-1")
        (number,) = owner.claims()
        owner.move(number, "Accepted", "Paid")
        assert statuses(owner) == {number: "Paid"}
        assert owner.claims()[number]["bank"]["name"] == "HDFC Bank"
        assert owner.call("GET", "/api/version") == {"version": __version__}
    for private in (".env", "countinghouse.db", "audit-key.pem"):
        assert (operator.folder / private).stat().st_mode & 0o777 == 0o600, private


@contextmanager
def behind_caddy(operator: Operator, files: Path) -> Iterator[Owner]:
    link = link_in(operator.follow("TLS", XDG_DATA_HOME=str(files), XDG_CONFIG_HOME=str(files)))
    url = urlsplit(link.split("/Invite")[0])
    assert url.geturl() == f"https://{operator.own['DESK_DOMAIN']}"
    trusted = ssl.create_default_context(cafile=files / "caddy/pki/authorities/local/root.crt")
    with open_browser(url.geturl(), VISITOR, trusted) as owner:
        owner.accept(link)
        assert {row["address"] for row in owner.call("GET", "/api/audit") if row["actor"] == NAME} == {VISITOR}
        assert owner.hears_of_changes()
        assert speaks_http2(url.hostname or "", url.port or 443, trusted)
        yield owner


def back_up(operator: Operator) -> list[str]:
    """Returns the totals in the backup."""
    printed = operator.follow("Back up", may_fail="doctor")
    wrong = re.findall(r"^wrong  (\w+)", printed, re.MULTILINE)
    assert wrong == ["Certificate"], printed
    written, checked = printed.split("Wrote first.backup")
    assert totals_in(written) == totals_in(checked)
    assert (operator.folder / "first.backup").stat().st_mode & 0o777 == 0o600
    return totals_in(written)


def totals_in(printed: str) -> list[str]:
    found = re.findall(r"^ {7}([a-z][\w ,]+: [\w,]+)$", printed, re.MULTILINE)
    assert "claims Paid, paise: 43,750" in found, printed
    return found


def statuses(owner: Owner) -> dict[str, str]:
    return {number: claim["status"] for number, claim in owner.claims().items()}
