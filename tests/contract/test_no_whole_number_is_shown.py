"""Roles that see masked numbers find no whole account or mobile number in any answer, wherever somebody wrote one."""

import base64
import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import update

from countinghouse.admins.permissions import Role
from countinghouse.claims.queries import CLAIMS
from countinghouse.claims.tables import claims
from countinghouse.purchases.queries import PURCHASES
from countinghouse.purchases.tables import purchases
from countinghouse.users.queries import USERS
from countinghouse.users.tables import users
from tests.admins.test_masked_numbers import HIDING
from tests.contract.test_what_each_role_may_do import ROUTES, set_role
from tests.core.sockets import served
from tests.desk import Desk
from tests.intake.pushing import a_claim, a_purchase, a_user, add_key, pushed
from tests.live.screens import screen

# None of them is in the examples of the description.
MOBILE = "9731846205"
FIRST, SECOND, CORRECTED, IMPLAUSIBLE = "004598712340", "310004567891", "9180200067", "7777777777"
NUMBERS = (MOBILE, FIRST, SECOND, CORRECTED, IMPLAUSIBLE)
LISTS = {"/api/claims/all": CLAIMS, "/api/purchases/all": PURCHASES, "/api/users": USERS}
QUERIES = {
    "/api/views": "?screen=claims",
    "/api/clients/{user_id}/statement": "?from=2000-01-01&to=2999-12-31",
}
WRITTEN = f"Called +91 {MOBILE[:5]} {MOBILE[5:]}; the account is {FIRST[:4]}-{FIRST[4:8]}-{FIRST[8:]}, not {CORRECTED}."
# As spreadsheets, chat apps and people write them.
BETWEEN = (".", " - ", "\u2013", "\u2011", "  ", "\u00a0", "/", ", ", ") (", "_", "\n")


def spelled(number: str) -> str:
    parts = number[:4], number[4:7], number[7:]
    return "; or ".join([f"+91 ({number[:5]}) {number[5:]}", *(between.join(parts) for between in BETWEEN)])


def fill(desk: Desk) -> dict[str, str]:
    """Numbers in every field that the desk shows, and in what admins wrote. Returns ids for the paths."""
    key = add_key(desk)
    pushed(desk, key, "users", [a_user(mobile=MOBILE)])
    pushed(desk, key, "purchases", [a_purchase(), a_purchase(2)])
    address = f"14 MG Road, Kochi 682016, phone {MOBILE} or ({MOBILE[:5]}) {MOBILE[5:]}"
    rows = [a_claim(place, accountNo=account, address=address) for place, account in enumerate((FIRST, SECOND, FIRST))]
    ids = [result["_id"] for result in pushed(desk, key, "claims", rows)]
    # The intake would refuse it.
    desk.change(update(claims).where(claims.c.id == ids[2]).values(account_no=IMPLAUSIBLE))
    corrected = desk.call("PUT", "/api/intake/claims/c-1", by=key, json={"version": 0, "accountNo": CORRECTED})
    assert corrected.status_code == 200, corrected.text
    # A service may use what its clients know as ids.
    desk.change(update(users).values(external_id=f"+91 ({MOBILE[:5]}) {MOBILE[5:]}"))
    desk.change(update(purchases).values(external_id=f"P{MOBILE}-" + purchases.c.external_id))
    for claim_id, account in zip(ids, (FIRST, CORRECTED, IMPLAUSIBLE), strict=True):
        named = "C" + "/".join([account[:4], account[4:8], account[8:]])
        desk.change(update(claims).where(claims.c.id == claim_id).values(external_id=f"{named}-{MOBILE}"))
    user_id = desk.get(f"/api/claims/{ids[0]}").json()["user"]["_id"]
    for text in (WRITTEN, spelled(MOBILE), spelled(FIRST), spelled(CORRECTED)):
        noted = desk.call("POST", f"/api/clients/{user_id}/notes", by="ravi", json={"text": text})
        assert noted.status_code == 201, noted.text
    bought = desk.get("/api/purchases/all").json()[0]["_id"]
    desk.change(update(purchases).values(checked_note=spelled(MOBILE)))
    assert desk.move(ids[2], "On hold", reason=WRITTEN).status_code == 200
    reason = f"{spelled(MOBILE)}; or {spelled(IMPLAUSIBLE)}".replace("\n", "|")
    assert desk.move(ids[2], "Rejected", by="ravi", reason=reason).status_code == 200
    batch = desk.call("POST", "/api/batches", json={"status": "Rejected", "reason": WRITTEN, "query": {"q": FIRST}})
    view = desk.call("POST", "/api/views", json={"screen": "claims", "name": "Mine", "search": "status=Pending"})
    export = desk.call("POST", "/api/exports", json={"list": "claims", "format": "csv"})
    for answer in (batch, view, export):
        assert answer.status_code == 201, answer.text
    made = {"batch_id": batch, "view_id": view, "export_id": export}
    known = {"claim_id": ids[2], "user_id": user_id, "purchase_id": bought}
    return known | {name: answer.json()["_id"] for name, answer in made.items()}


def text_of(answer: Response) -> str:
    shown = answer.content
    if shown.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(shown)) as sheet:
            shown = b"".join(sheet.read(name) for name in sheet.namelist())
    return shown.decode(errors="replace")


def assert_nothing_whole(answer: Response, *where: Any) -> None:
    link = answer.headers.get("link", "")
    cursors = re.findall(r"cursor=([\w-]+)", link)
    decoded = [base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)) for cursor in cursors]
    text = text_of(answer).replace("\\n", "\n") + b"\n".join(decoded).decode(errors="replace")
    # Also where it was written in groups.
    found = [found[0] for number in NUMBERS if (found := re.search(r"[\W_]{0,6}".join(number), text))]
    assert found == [], (*where, answer.status_code)


def concrete(path: str, ids: dict[str, str]) -> str:
    path = path.replace("{ifsc}", "HDFC0001234")
    return re.sub(r"\{(\w+)\}", lambda found: ids.get(found[1], "0" * 24), path)


@pytest.mark.parametrize("role", HIDING)
def test_no_answer_of_a_route_contains_one(desk: Desk, role: Role) -> None:
    ids = fill(desk)
    set_role(desk, role)
    seen = 0
    for method, path, _groups in ROUTES:
        if method == "GET" and path != "/api/live":
            answer = desk.get(concrete(path, ids) + QUERIES.get(path, ""))
            assert_nothing_whole(answer, path)
            seen += answer.status_code == 200
    assert seen > 20
    facts = {
        fact["code"]: fact["sentence"] for fact in desk.get(f"/api/claims/{ids['claim_id']}/details").json()["facts"]
    }
    assert facts["account_changed"].endswith(": ••••0067, IFSC HDFC0001234.")
    assert facts["account_implausible"] == "Account number ••••7777: All its digits are the same."


@pytest.mark.parametrize("role", HIDING)
def test_no_page_in_any_order_contains_one_and_its_cursor_neither(desk: Desk, role: Role) -> None:
    fill(desk)
    set_role(desk, role)
    for path, listing in LISTS.items():
        totals = path.replace("/all", "") + "/totals"
        for sort in listing.orders:
            assert_nothing_whole(desk.get(f"{path}?limit=1&sort={sort}"), path, sort)
        for number in NUMBERS:
            assert_nothing_whole(desk.get(f"{path}?limit=1&q={number[-5:]}"), path)
            assert_nothing_whole(desk.get(f"{totals}?q={number[-5:]}"), totals)


def files_of(desk: Desk) -> Iterator[Response]:
    """Every list in every format."""
    for name in ("claims", "purchases", "users"):
        for file_format in ("csv", "xlsx"):
            asked = desk.call("POST", "/api/exports", json={"list": name, "format": file_format})
            assert asked.status_code == 201, asked.text
            assert_nothing_whole(asked, name)
            yield desk.client.get(asked.json()["url"])


@pytest.mark.parametrize("role", HIDING)
def test_no_exported_file_contains_one(desk: Desk, role: Role) -> None:
    fill(desk)
    set_role(desk, role)
    for file in files_of(desk):
        assert file.status_code == 200
        assert_nothing_whole(file, file.headers["content-disposition"])


@pytest.mark.parametrize("role", HIDING)
def test_no_refusal_contains_one(desk: Desk, role: Role) -> None:
    ids = fill(desk)
    set_role(desk, role)
    bodies: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/api/batches", {"status": "Accepted", "query": {}}),
        ("POST", f"/api/batches/{ids['batch_id']}/run", {}),
        ("PUT", f"/api/claims/{ids['claim_id']}/status", {"status": "Paid"}),
        ("POST", f"/api/clients/{ids['user_id']}/notes", {"text": "A note"}),
    ]
    for method, path, body in bodies:
        assert_nothing_whole(desk.call(method, path, json=body), path)


def test_no_live_event_contains_one(desk: Desk) -> None:
    ids = fill(desk)
    set_role(desk, Role.VIEWER)
    with served(desk.client.app) as port, screen(port, desk.tokens["asha"], after=0) as open_screen:
        desk.move(ids["claim_id"], "Pending", by="ravi", reason=WRITTEN)
        open_screen.wait_until(lambda screen: any(event.data.get("status") == "Pending" for event in screen.heard))
        assert not any(number in str(event.data) for event in open_screen.heard for number in NUMBERS)
