"""The key by which accounts are compared is the same in Python and in SQL, and an index finds it."""

import json
import sqlite3
from itertools import chain
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, text

from countinghouse.banks.ifsc import note_if_malformed, read_ifsc
from countinghouse.claims.same_account import key_of
from countinghouse.india.accounts import AROUND, FOLDED, WITHIN, account_key
from tests.batches.batches import claims_of, plan, seen
from tests.claims.test_same_account import SPELLINGS
from tests.contract.rows import fill
from tests.core.statements import plan_on_postgres, plan_on_sqlite, steps_of, watch
from tests.desk import Desk

# What is folded, its neighbours, and characters whose bytes end or begin like those that are folded.
CHARACTERS = sorted(
    {chr(near) for one in (*map(ord, AROUND + WITHIN), *FOLDED) for near in range(max(1, one - 2), one + 3)}
    | set("0123456789ABCXYZ\u0131\u0130\u00df\u00b5\u03c2\ufb01\u1d400\u0967\u0660\ufbc9\ufbd8\U0001d407\U0010ffff")
)
texts = st.text(st.sampled_from(CHARACTERS), max_size=30) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30
)


def keys_in_sql(desk: Desk, written: list[str]) -> list[str]:
    if desk.database.is_sqlite:
        each = func.json_each(json.dumps(written)).table_valued("key", "value")
    else:
        each = (
            func.json_array_elements_text(func.json(json.dumps(written)))
            .table_valued("value", with_ordinality="key")
            .render_derived()
        )
    found = select(key_of(each.c.value)).order_by(each.c.key)
    return [row[0] for row in desk.rows(found)]


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(written=st.lists(texts, min_size=1, max_size=50))
def test_the_key_is_the_same_in_python_and_in_sql(desk: Desk, written: list[str]) -> None:
    assert keys_in_sql(desk, written) == [account_key(each) for each in written]


def test_each_character_alone_and_between_others_has_the_same_key_in_sql(desk: Desk) -> None:
    alone = [*filter(None, map(chr, chain(range(1, 0xD800), range(0xE000, 0x11000))))]
    for written in (alone, [f"0{each}A" for each in alone]):
        assert keys_in_sql(desk, written) == [account_key(each) for each in written]


@given(texts)
def test_a_key_without_odd_ends_is_its_own_key(written: str) -> None:
    key = account_key(written)
    assert account_key(key.strip(AROUND)) == key.strip(AROUND)


@pytest.mark.parametrize(("number", "code"), SPELLINGS)
def test_every_spelling_has_the_key_of_the_plain_one(number: str, code: str) -> None:
    assert (account_key(number), account_key(code)) == ("004512345678", "HDFC0001234")


@given(texts)
def test_a_bank_code_is_read_as_it_is_compared(written: str) -> None:
    if not note_if_malformed(written):
        assert read_ifsc(written).code == account_key(written)


def test_a_code_in_letters_that_only_look_like_latin_ones_is_malformed() -> None:
    bold = "".join(chr(0x1D400 + ord(letter) - ord("A")) for letter in "HDFC")
    assert note_if_malformed(f"{bold}0001234")


def test_every_lookup_of_an_account_uses_its_index(
    desk: Desk, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements = watch(monkeypatch)
    fill(desk, 1_000)
    desk.change(text("ANALYZE"))
    claim = desk.get("/api/claims/all?limit=1&status=Pending").json()[0]
    sheet = plan(desk, status="Accepted", claims=seen(desk, [claim["_id"]]))
    statements.clear()
    desk.get(f"/api/claims/{claim['_id']}/details")
    desk.get(f"/api/clients/{claim['user']['_id']}")
    claims_of(desk, sheet)
    used = [name for plan in _plans(desk, database_url, statements) if (name := "ix_claims_account_key") in plan]
    # The clients with the account: of one claim, of a client's page, and of a batch.
    assert len(used) >= 3


def _plans(desk: Desk, url: str, statements: Any) -> list[str]:
    if desk.database.is_sqlite:
        return [str(plan_on_sqlite(desk.database.file, sql)) for sql in statements.on_sqlite if " claims" in sql]
    asked = [(sql, values) for sql, values in statements.on_postgres if "FROM claims" in sql]
    return [
        " ".join(str(step.get("Index Name")) for step in steps_of(plan_on_postgres(url, *each, as_if_large=True)))
        for each in asked
    ]


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_program_that_knows_nothing_of_the_key_can_write_claims(desk: Desk) -> None:
    claim_id = desk.add_claim()
    with sqlite3.connect(str(desk.database.file)) as other:
        other.execute("UPDATE claims SET account_no = ' 0045-x ' WHERE id = ?", [claim_id])
        assert other.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    other.close()
