"""QR codes after an upgrade: uploads are kept, customers get rendered codes, and unconfirmed ones are hidden."""

import io
from collections.abc import Callable, Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from threading import Barrier, Thread

import pytest
import zxingcpp
from PIL import Image
from sqlalchemy import bindparam, insert, select, text, update

from countinghouse.admins.actions import add_admin
from countinghouse.admins.tables import admins
from countinghouse.audit.actions import COMMAND
from countinghouse.audit.tables import audit_log
from countinghouse.core.ids import new_id
from countinghouse.core.migrate import migrate
from countinghouse.core.times import Moment
from countinghouse.qr.resource import QrVerb
from countinghouse.qr.tables import qr_codes, qr_displays
from countinghouse.qr.upgrading import bring_up_to_date
from countinghouse.settings import Settings
from tests.core.earlier_desks import desk_at
from tests.databases import Place, Template
from tests.desk import NEWEST, Desk
from tests.event_loop import run
from tests.pictures import code_for, qr_png, side_by_side, without_a_code
from tests.servers import running_server


@pytest.fixture
def old_desk(blank_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A database from before the server read QR codes (migration 0004)."""
    with desk_at("0004", blank_url, tmp_path, monkeypatch) as desk:
        yield desk


@pytest.fixture
def read_desk(
    place: Place, template_of: Callable[..., Template], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    """A database from when codes were read but customers still got the uploaded picture (migration 0007)."""

    def migrate_once() -> Template:
        url = place.blank()
        with desk_at("0007", url, tmp_path, monkeypatch) as desk:
            return Template(url, dict(desk.tokens))

    template = template_of("desk at 0007", migrate_once)
    url = place.copied(template)
    desk = Desk(Settings(database_url=url, _env_file=None), dict(template.tokens))
    yield desk
    desk.close()
    place.remove(url)


def add_picture(desk: Desk, picture: bytes) -> str:
    key = new_id().ljust(43, "k")
    stored = {"key": key, "content": picture, "sha256": sha256(picture).hexdigest()}
    desk.change(
        text(
            "INSERT INTO qr_images (key, content, sha256, width, height) VALUES (:key, :content, :sha256, 9, 9)"
        ).bindparams(**stored)
    )
    return key


def add_old(desk: Desk, picture: bytes, *statuses: str, name: str = "Desk 1", is_logged: bool = True) -> str:
    """A code that went through these statuses, an hour apart; "deleted" is the last of them."""
    qr_id, is_gone = new_id(), statuses[-1:] == ("deleted",)
    status = "hide" if is_gone or not statuses else statuses[-1]
    row = {"id": qr_id, "name": name, "key": add_picture(desk, picture), "status": status}
    desk.change(
        text(
            "INSERT INTO qr_codes (id, created_at, name, upi_id, image_key, status, deleted_at) "
            "VALUES (:id, :at, :name, 'desk1@okbank', :key, :status, :gone)"
        ).bindparams(bindparam("at", NEWEST, Moment), bindparam("gone", NEWEST if is_gone else None, Moment), **row)
    )
    events: list[tuple[QrVerb, dict[str, str] | None]] = [(QrVerb.UPLOADED, {"status": "hide"})]
    events += [(QrVerb.STATUS_CHANGED, {"status": each}) for each in statuses]
    if is_gone:
        events[-1] = (QrVerb.DELETED, None)
    for place, (verb, after) in enumerate(events if is_logged else ()):
        at = NEWEST + timedelta(hours=place)
        line = {"at": at, "actor": "ravi", "verb": str(verb), "subject_id": qr_id, "after": after}
        desk.change(insert(audit_log).values(line))
    return qr_id


def add_read(desk: Desk, picture: bytes, status: str = "hide", name: str = "Desk 1") -> tuple[str, str]:
    """A code that an earlier release read without findings, and the URL under which customers know its image."""
    qr_id, key = new_id(), add_picture(desk, picture)
    row = {"id": qr_id, "name": name, "key": key, "status": status}
    desk.change(
        text(
            "INSERT INTO qr_codes (id, created_at, name, upi_id, image_key, status, is_cleared, uploaded_by, findings) "
            "VALUES (:id, :at, :name, 'desk1@okbank', :key, :status, true, 'asha', '')"
        ).bindparams(bindparam("at", NEWEST, Moment), **row)
    )
    if status == "display":
        desk.change(insert(qr_displays).values(id=new_id(), qr_id=qr_id, name=name, shown_at=NEWEST))
    return qr_id, f"/qr-images/{key}.png"


def confirm_old(desk: Desk, qr_id: str, uploaded_by: str, confirmed_by: str) -> None:
    desk.change(
        text(
            "UPDATE qr_codes SET uploaded_by = :up, findings = 'unreadable', is_cleared = true, confirmed_by = :by, "
            "confirmed_at = created_at, confirm_reason = 'Because.' WHERE id = :id"
        ).bindparams(up=uploaded_by, by=confirmed_by, id=qr_id)
    )


def texts(png: bytes) -> list[str]:
    return [str(code.text) for code in zxingcpp.read_barcodes(Image.open(io.BytesIO(png)))]


def test_the_upgrade_derives_uploaders_and_display_times_from_the_audit_log(old_desk: Desk) -> None:
    shown = add_old(old_desk, qr_png(), "display", "hide", "display", name="Shown")
    hidden = add_old(old_desk, qr_png(), "display", "hide", name="Hidden")
    gone = add_old(old_desk, qr_png(), "display", "deleted", name="Gone")
    never = add_old(old_desk, qr_png(), name="Never")
    unlogged = add_old(old_desk, qr_png(), "display", name="Unlogged", is_logged=False)
    migrate(old_desk.database)

    codes = {row.id: row for row in old_desk.rows(select(qr_codes))}
    assert {row.findings for row in codes.values()} == {None}
    assert {codes[qr_id].uploaded_by for qr_id in (shown, hidden, gone, never)} == {"ravi"}
    assert codes[unlogged].uploaded_by is None
    cleared = {codes[qr_id].name for qr_id in codes if codes[qr_id].is_cleared}
    assert cleared == {"Shown", "Unlogged"}

    hour = timedelta(hours=1)
    rows = old_desk.rows(select(qr_displays).order_by(qr_displays.c.name, qr_displays.c.shown_at))
    assert [(row.qr_id, row.name, row.shown_at, row.hidden_at) for row in rows] == [
        (gone, "Gone", NEWEST + hour, NEWEST + 2 * hour),
        (hidden, "Hidden", NEWEST + hour, NEWEST + 2 * hour),
        (shown, "Shown", NEWEST + hour, NEWEST + 2 * hour),
        (shown, "Shown", NEWEST + 3 * hour, None),
        (unlogged, "Unlogged", NEWEST, None),
    ]
    assert run(bring_up_to_date(old_desk.database)) == 5
    assert {code["name"] for code in old_desk.get("/api/qr", by=None).json()} == {"Shown", "Unlogged"}


def test_the_old_image_url_serves_the_rendered_code_and_admins_keep_the_uploaded_picture(read_desk: Desk) -> None:
    picture = code_for("desk1@okbank", tr="4711")
    qr_id, known_address = add_read(read_desk, picture, "display")
    migrate(read_desk.database)
    # Between the migration and the first start, no uploaded picture is served to customers.
    assert read_desk.get("/api/qr", by=None).json() == []
    assert read_desk.get(known_address, by=None).status_code == 404
    assert run(bring_up_to_date(read_desk.database)) == 1

    (shown,) = read_desk.get("/api/qr", by=None).json()
    (code,) = read_desk.get("/api/qr").json()
    assert (shown["_id"], code["isDrawn"]) == (qr_id, True)
    drawn = read_desk.get(shown["qrImage"], by=None).content
    assert texts(drawn) == texts(picture) == ["upi://pay?pa=desk1@okbank&pn=Desk%201&cu=INR&tr=4711"]
    assert drawn != picture
    assert read_desk.get(known_address, by=None).content == drawn
    assert read_desk.get(code["uploadedImage"], by=None).content == picture
    assert not code["qrImage"].endswith(known_address)
    assert not code["uploadedImage"].endswith(known_address)
    # The address was on display before, so it is not a new payee.
    run(read_desk.database.write(lambda transaction: add_admin(transaction, COMMAND, "ravi", "none")))
    for status in ("hide", "display"):
        answer = read_desk.call("PATCH", f"/api/qr/status/{qr_id}", json={"status": status})
        assert answer.status_code == 200


def test_unconfirmed_codes_with_findings_are_taken_off_display_and_logged(read_desk: Desk) -> None:
    wrong, _ = add_read(read_desk, code_for("other@okbank"), "display", name="Wrong")
    add_read(read_desk, side_by_side(code_for("other@okbank"), code_for("third@okbank")), "display", name="Two")
    add_read(read_desk, b"no picture at all", "display", name="Broken")
    add_read(read_desk, code_for("desk1@okbank"), "display", name="Right")
    add_read(read_desk, code_for("desk1@okbank"), name="Hidden")
    migrate(read_desk.database)
    assert run(bring_up_to_date(read_desk.database)) == 5
    assert run(bring_up_to_date(read_desk.database)) == 0

    stored = {
        row.name: (row.findings, row.payee, row.is_cleared, row.status) for row in read_desk.rows(select(qr_codes))
    }
    assert stored == {
        "Wrong": ('["other_payee"]', "other@okbank", False, "hide"),
        "Two": ('["several"]', None, False, "hide"),
        "Broken": ('["unreadable"]', None, False, "hide"),
        "Right": ("", "desk1@okbank", True, "display"),
        "Hidden": ("", "desk1@okbank", True, "hide"),
    }
    assert len(read_desk.audit("qr.read")) == 5
    changed = read_desk.audit("qr.status_changed")
    assert {(row.actor, row.after["status"]) for row in changed} == {("command", "hide")}
    assert len(changed) == 3
    events = read_desk.get(f"/api/qr/history?qr={wrong}").json()["events"]
    (taken_off,) = [event["sentence"] for event in events if event["verb"] == "qr.status_changed"]
    assert taken_off == (
        "command took Wrong (desk1@okbank) off display: this code pays other@okbank, not desk1@okbank."
    )
    displays = read_desk.rows(select(qr_displays))
    assert {row.name for row in displays if row.hidden_at is None} == {"Right"}


def test_confirmed_codes_stay_on_display(read_desk: Desk) -> None:
    second, _ = add_read(read_desk, without_a_code(), "display", name="Second admin")
    alone, _ = add_read(read_desk, without_a_code(), "display", name="Alone")
    # Only what every release has.
    ravi = {"id": new_id(), "created_at": NEWEST, "username": "ravi", "username_key": "ravi", "password_hash": "none"}
    read_desk.change(insert(admins).values(ravi))
    confirm_old(read_desk, second, "ravi", "asha")
    confirm_old(read_desk, alone, "asha", "asha")
    migrate(read_desk.database)
    assert run(bring_up_to_date(read_desk.database)) == 2
    shown = {code["name"]: code for code in read_desk.get("/api/qr", by=None).json()}
    assert set(shown) == {"Second admin", "Alone"}
    # Another reader might find any code in an unreadable picture, so a code for the typed address is rendered.
    drawn = {name: texts(read_desk.get(code["qrImage"], by=None).content) for name, code in shown.items()}
    assert drawn == {
        "Second admin": ["upi://pay?pa=desk1@okbank&pn=Second%20admin&cu=INR"],
        "Alone": ["upi://pay?pa=desk1@okbank&pn=Alone&cu=INR"],
    }


def test_a_displayed_code_that_pays_the_typed_address_stays_on_display_despite_other_findings(read_desk: Desk) -> None:
    """An upgrade must not interrupt payments. Once hidden, the code's findings must be confirmed like any others."""
    qr_id, _ = add_read(read_desk, code_for("desk1@okbank", tn="Thanks"), "display")
    hidden, _ = add_read(read_desk, code_for("desk1@okbank", tn="Thanks"), name="Hidden")
    migrate(read_desk.database)
    assert run(bring_up_to_date(read_desk.database)) == 2
    (shown,) = read_desk.get("/api/qr", by=None).json()
    assert shown["_id"] == qr_id
    assert [row.is_cleared for row in read_desk.rows(select(qr_codes).where(qr_codes.c.id == hidden))] == [False]
    path = f"/api/qr/status/{qr_id}"
    assert read_desk.call("PATCH", path, json={"status": "hide"}).status_code == 200
    assert read_desk.call("PATCH", path, json={"status": "display"}).json()["code"] == "qr_not_confirmed"


def test_two_servers_starting_at_once_read_each_code_once(read_desk: Desk) -> None:
    for number in range(6):
        add_read(read_desk, code_for("desk1@okbank"), "display", name=f"Desk {number}")
    migrate(read_desk.database)
    together, noted = Barrier(2), list[int]()

    def start() -> None:
        together.wait()
        noted.append(run(bring_up_to_date(read_desk.database)))

    starting = [Thread(target=start) for _ in range(2)]
    for thread in starting:
        thread.start()
    for thread in starting:
        thread.join()
    assert sum(noted) == len(read_desk.audit("qr.read")) == 6
    assert len(read_desk.get("/api/qr", by=None).json()) == 6


def test_a_starting_server_reads_unread_codes_before_it_listens(desk: Desk, database_url: str) -> None:
    desk.upload(qr_png())
    desk.change(update(qr_codes).values(findings=None, payee=None, is_cleared=False))
    with running_server(database_url):
        (row,) = desk.rows(select(qr_codes))
    assert (row.findings, row.payee, row.is_cleared) == ("", "desk1@okbank", True)
