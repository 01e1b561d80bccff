"""Who sees masked numbers may search for a whole one. A program could try all numbers that end in the digits on the
screen, so such searches are limited for each admin, and refusals are in the audit log."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from httpx2 import Response
from sqlalchemy import select, update

from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins, login_buckets
from countinghouse.admins.throttle import Bucket, buckets_for_numbers
from countinghouse.core.masking import DERIVED
from countinghouse.settings import Settings
from tests.admins.test_masked_numbers import HIDING, set_role
from tests.desk import Desk

LISTS = {"claims": "/api/claims/all", "purchases": "/api/purchases/all", "users": "/api/users"}
A_MINUTE, A_DAY = buckets_for_numbers("numbers", "", Settings(_env_file=None))
SEARCHED, OTHER = "9805756092", "9876543210"


def search(desk: Desk, q: str, path: str = "/api/users", *, by: str = "asha") -> Response:
    return desk.get(path, params={"q": q} | ({} if path.endswith("totals") else {"limit": "5"}), by=by)


def export(desk: Desk, q: str, name: str = "users") -> Response:
    return desk.call("POST", "/api/exports", json={"list": name, "format": "csv", "query": {"q": q}})


def fill(desk: Desk, bucket: Bucket) -> None:
    """As if all searches that it allows had been made, and a minute more."""
    assert search(desk, SEARCHED).status_code == 200
    until = int(time.time() * 1000) + (bucket.guesses - 1) * bucket.step_ms + 60_000
    is_it = login_buckets.c.key.startswith(bucket.key)
    desk.change(update(login_buckets).where(is_it).values(drained_at_ms=until))


def counted(desk: Desk) -> int:
    (row,) = desk.rows(select(login_buckets).where(login_buckets.c.key.startswith(A_DAY.key)))
    searches: int = round((row.drained_at_ms - row.counted_at_ms) / A_DAY.step_ms)
    return searches


def test_a_program_that_tries_numbers_is_refused(desk: Desk) -> None:
    set_role(desk, Role.VIEWER)
    # The bucket refills meanwhile, by one in two seconds.
    answers = (search(desk, f"98057{guess:05}", "/api/users/totals") for guess in range(5 * A_MINUTE.guesses))
    refused = next(answer for answer in answers if answer.status_code != 200)
    assert refused.status_code == 429
    assert counted(desk) >= A_MINUTE.guesses


@pytest.mark.parametrize("role", HIDING)
@pytest.mark.parametrize("bucket", [A_MINUTE, A_DAY])
def test_every_list_total_and_export_refuses_one_more_number(desk: Desk, role: Role, bucket: Bucket) -> None:
    desk.add_claim()
    set_role(desk, role)
    fill(desk, bucket)
    for name, path in LISTS.items():
        totals = path.removesuffix("/all") + "/totals"
        spelled = f"+91 ({OTHER[:5]}) {OTHER[5:]}"
        for answer in (search(desk, OTHER, path), search(desk, OTHER, totals), export(desk, spelled, name)):
            assert answer.status_code == 429, (path, answer.text)
            assert answer.json()["code"] == "too_many_number_searches"
            assert answer.json()["message"].endswith("or search for the client's name.")
            assert 1 <= int(answer.headers["Retry-After"]) <= 60
    # An id that the import derived from a number tells as much.
    assert search(desk, DERIVED + "0af3" * 8).status_code == 429
    # Other searches go on, the number that was allowed before, and the admins who see the numbers.
    for q in ("Ananya", OTHER[2:], SEARCHED):
        assert search(desk, q).status_code == 200
    assert export(desk, SEARCHED).status_code == 201
    assert search(desk, OTHER, by="ravi").status_code == 200
    # A row for the first refusal of the hour, and for the tenth.
    ((admin_id,),) = desk.rows(select(admins.c.id).where(admins.c.username == "asha"))
    rows = desk.audit("admin.searches_refused")
    assert [(row.actor, row.subject_id, row.after["refused"]) for row in rows] == [
        ("asha", admin_id, 1),
        ("asha", admin_id, 10),
    ]
    assert all(row.after.keys() == {"hour", "refused"} for row in rows)


def test_one_number_is_one_search_in_all_lists_totals_and_exports(desk: Desk) -> None:
    set_role(desk, Role.VIEWER)
    for path in (*LISTS.values(), "/api/users/totals", "/api/claims/totals", *LISTS.values()):
        assert search(desk, SEARCHED, path).status_code == 200
    assert export(desk, SEARCHED).status_code == 201
    assert counted(desk) == 1
    assert search(desk, OTHER).status_code == 200
    assert counted(desk) == 2


def test_requests_at_the_same_time_are_one_search_and_get_no_more(desk: Desk) -> None:
    set_role(desk, Role.VIEWER)
    with ThreadPoolExecutor(6) as threads:
        answers = [*threads.map(lambda _: search(desk, SEARCHED), range(12))]
        assert ({answer.status_code for answer in answers}, counted(desk)) == ({200}, 1)
        fill(desk, A_MINUTE)
        answers = [*threads.map(lambda _: search(desk, OTHER), range(12))]
        assert {answer.status_code for answer in answers} == {429}
