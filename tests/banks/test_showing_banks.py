"""Banks in API responses. They are computed from the bundled list, never from the database."""

import pytest

from countinghouse.banks.directory import directory
from countinghouse.banks.queries import MOST_REMEMBERED, bank_of
from tests.desk import Desk
from tests.engines import on_one_engine


@on_one_engine
def test_claims_name_their_bank_in_the_list_in_single_reads_and_in_the_details(desk: Desk) -> None:
    note = "This code is no longer listed: Syndicate Bank is part of Canara Bank now."
    claim_id = desk.add_claim(ifsc="SYNB0003000")
    bank = {"name": "Syndicate Bank", "note": note}
    assert [claim["bank"] for claim in desk.get("/api/claims/all").json()] == [bank]
    assert [claim["bank"] for claim in desk.get("/api/claims/all?limit=10").json()] == [bank]
    assert desk.get(f"/api/claims/{claim_id}").json()["bank"] == bank
    details = desk.get(f"/api/claims/{claim_id}/details").json()
    assert details["claim"]["bank"] == bank
    assert {"id": "ifsc_unknown", "code": "ifsc_unknown", "sentence": f"IFSC SYNB0003000: {note}"} in details["facts"]
    assert desk.move(claim_id, "Accepted").json()["bank"] == bank


def test_the_cache_of_bank_codes_is_bounded() -> None:
    code = directory().code_at("SBIN", 8)
    assert bank_of(code)["name"] == "State Bank of India"
    assert bank_of(code) is bank_of(code)
    assert bank_of.cache_info().maxsize == MOST_REMEMBERED


@on_one_engine
@pytest.mark.parametrize(
    ("asked", "ifsc", "name", "note"),
    [
        ("HDFC0001234", "HDFC0001234", "HDFC Bank", ""),
        ("hdfc%200001234", "HDFC0001234", "HDFC Bank", "Banks write it HDFC0001234."),
        ("nonsense", "NONSENSE", "", "Codes have 11 characters, the fifth a zero; this one has 8."),
        ("%00", "\0", "", "Codes have 11 characters, the fifth a zero; this one has 1."),
    ],
)
def test_any_bank_code_can_be_looked_up(desk: Desk, asked: str, ifsc: str, name: str, note: str) -> None:
    answer = desk.get(f"/api/banks/{asked}")
    assert answer.status_code == 200
    assert answer.json() == {"ifsc": ifsc, "name": name, "note": note, "dataVersion": directory().version}


@on_one_engine
def test_an_overlong_bank_code_is_refused(desk: Desk) -> None:
    answer = desk.get(f"/api/banks/{'A' * 41}")
    assert answer.status_code == 422
    assert answer.json()["fields"] == {"ifsc": "ifsc is too long: at most 40 characters."}


@on_one_engine
def test_the_version_of_the_bank_data_is_reported(desk: Desk) -> None:
    known = directory()
    assert desk.get("/api/banks").json() == {
        "dataVersion": known.version,
        "codes": known.code_count,
        "banks": len(known.listed),
        "fetchedOn": known.fetched_on,
    }
