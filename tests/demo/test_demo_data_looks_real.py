import io
import re
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qs, urlsplit

import zxingcpp
from PIL import Image
from sqlalchemy import func, select

from countinghouse.banks.ifsc import read_ifsc
from countinghouse.claims.tables import claims
from countinghouse.core.ids import is_id
from countinghouse.demo.purchases import upi_reference
from countinghouse.india.accounts import account_note
from countinghouse.india.references import one_slip_away
from countinghouse.purchases.actions import check_purchases
from countinghouse.purchases.findings import FINDINGS
from countinghouse.purchases.tables import purchases
from countinghouse.qr.tables import qr_codes, qr_images
from countinghouse.users.tables import users
from tests.demo.conftest import UNTIL
from tests.direct_database import DirectDatabase
from tests.event_loop import run

IST = timezone(timedelta(hours=5, minutes=30))


def test_references_are_unique_and_dated_like_their_purchases_except_the_deliberate_exceptions(
    filled: DirectDatabase,
) -> None:
    with filled.reading() as connection:
        rows = connection.execute(select(purchases).where(purchases.c.findings == "")).all()
    for row in rows:
        day: datetime = row.created_at.astimezone(IST)
        assert re.fullmatch(r"\d{12}", row.upi_id)
        assert row.upi_id[0] == str(day.year)[-1]
        assert int(row.upi_id[1:4]) == day.timetuple().tm_yday
        assert row.reference_key == row.upi_id
    assert len({row.upi_id for row in rows}) == len(rows) > 400


def test_no_two_references_of_a_day_look_like_a_typing_error() -> None:
    made = {upi_reference(UNTIL, number) for number in (*range(3_000), *range(0, 1_000_000, 997))}
    assert len(made) > 3_900
    assert not any(one_slip_away(reference) & made for reference in made)


def test_every_kind_of_finding_occurs_and_matches_what_the_check_computes(filled: DirectDatabase) -> None:
    with filled.reading() as connection:
        written = connection.execute(select(purchases).order_by(purchases.c.id)).all()
    kinds = [finding["code"] for row in written for finding in FINDINGS[row.findings]]
    assert {"repeated", "near", "other_day", "not_on_display"} == set(kinds)
    assert len(kinds) < len(written) / 20
    run(check_purchases(filled, lambda _done, _total: None, every=True))
    with filled.reading() as connection:
        assert connection.execute(select(purchases).order_by(purchases.c.id)).all() == written


def test_accounts_bank_codes_and_addresses_have_realistic_formats(filled: DirectDatabase) -> None:
    with filled.reading() as connection:
        rows = connection.execute(select(claims)).all()
    for row in rows:
        assert re.fullmatch(r"\d{9,18}", row.account_no)
        assert re.search(r", [A-Z][A-Za-z ]+ [1-9]\d{5}$", row.address)
    assert any(row.account_no.startswith("0") for row in rows)
    codes = [read_ifsc(row.ifsc) for row in rows]
    assert sum(code.state == "good" for code in codes) > len(rows) * 0.95
    # Every kind of note occurs in a demo.
    assert {code.state for code in codes} == {"good", "malformed", "unknown"}
    assert any(code.note.startswith("Banks write it") for code in codes)
    assert any("is part of" in code.note for code in codes)
    assert any(account_note(row.account_no) for row in rows)
    assert any(row.amount_paise % 100 for row in rows)


def test_most_clients_keep_one_account(filled: DirectDatabase) -> None:
    with filled.reading() as connection:
        kept = connection.execute(
            select(func.count(), func.count(claims.c.account_no.distinct())).group_by(claims.c.user_id)
        ).all()
    assert max(accounts for _, accounts in kept) <= 2
    assert sum(accounts == 1 for _, accounts in kept) > len(kept) / 2


def test_users_have_varied_names_and_unique_mobile_numbers(filled: DirectDatabase) -> None:
    with filled.reading() as connection:
        rows = connection.execute(select(users)).all()
    assert all(re.fullmatch(r"[6-9]\d{9}", row.mobile) for row in rows)
    assert len({row.mobile for row in rows}) == len(rows)
    assert len({row.username for row in rows}) > len(rows) * 0.9
    assert any(len(row.username) > 40 for row in rows)
    assert any("\u0900" <= row.username[0] <= "\u097f" for row in rows)


def test_ids_and_times_increase_together_until_shortly_before_the_end(filled: DirectDatabase) -> None:
    with filled.reading() as connection:
        for table in (users, purchases, claims):
            rows = connection.execute(select(table.c.id, table.c.created_at).order_by(table.c.id)).all()
            moments = [row.created_at for row in rows]
            assert moments == sorted(moments)
            assert all(is_id(row.id) and int(row.id[:8], 16) == int(row.created_at.timestamp()) for row in rows)
            assert UNTIL - timedelta(days=121) < moments[0] < UNTIL - timedelta(days=110)
            assert UNTIL - timedelta(minutes=10) < moments[-1] < UNTIL


def test_purchases_follow_their_user_and_claims_follow_their_purchase(filled: DirectDatabase) -> None:
    with filled.reading() as connection:
        bought = connection.execute(
            select(purchases.c.created_at, users.c.created_at).join_from(purchases, users)
        ).all()
        claimed = connection.execute(
            select(claims.c.created_at, purchases.c.created_at, claims.c.user_id, purchases.c.user_id).join_from(
                claims, purchases
            )
        ).all()
    assert all(purchase > user for purchase, user in bought)
    assert all(claim >= purchase + timedelta(days=1) for claim, purchase, _, _ in claimed)
    assert all(claimant == buyer for _, _, claimant, buyer in claimed)


def test_claims_never_exceed_what_the_purchase_has_earned(filled: DirectDatabase) -> None:
    with filled.reading() as connection:
        sums = connection.execute(
            select(
                func.sum(claims.c.amount_paise),
                func.max(claims.c.created_at, type_=claims.c.created_at.type),
                purchases.c.created_at,
                purchases.c.daily_income_paise,
            )
            .join_from(claims, purchases)
            .group_by(purchases.c.id)
        ).all()
    assert all(claimed <= (last - since).days * income for claimed, last, since, income in sums)


def test_every_code_decodes_to_its_own_upi_address(filled: DirectDatabase) -> None:
    with filled.reading() as connection:
        shown = qr_codes.c.image_key == qr_images.c.key
        rows = connection.execute(select(qr_codes, qr_images.c.content).join_from(qr_codes, qr_images, shown)).all()
    for row in rows:
        image = Image.open(io.BytesIO(row.content))
        assert image.format == "PNG"
        assert min(image.size) >= 300
        (code,) = zxingcpp.read_barcodes(image)
        address = urlsplit(code.text)
        assert f"{address.scheme}://{address.netloc}" == "upi://pay"
        assert parse_qs(address.query) == {"pa": [row.upi_id], "pn": ["Countinghouse Demo"], "cu": ["INR"]}
    states = sorted((row.status, row.deleted_at is not None) for row in rows)
    assert states == [("display", False), ("display", False), ("hide", False), ("hide", True)]


def test_each_purchase_was_paid_to_an_existing_code(filled: DirectDatabase) -> None:
    with filled.reading() as connection:
        codes = {row.name: row for row in connection.execute(select(qr_codes))}
        has_finding = purchases.c.findings.contains("not_on_display")
        bought = connection.execute(select(purchases.c.created_at, purchases.c.qr_name).where(~has_finding)).all()
    assert {row.qr_name for row in bought} == set(codes)
    for row in bought:
        code = codes[row.qr_name]
        assert code.created_at < row.created_at
        assert code.deleted_at is None or row.created_at < code.deleted_at
