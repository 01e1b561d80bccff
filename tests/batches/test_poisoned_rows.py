"""Of five hundred claims the database rejects three: the others move, and a retry covers those three."""

from collections.abc import Sequence

from sqlalchemy import text

from tests.batches.batches import add_claims, logged_moves, moves, plan, run_to_end, seen, statuses
from tests.desk import Desk


def poison(desk: Desk, ids: Sequence[str]) -> None:
    named = ", ".join(f"'{claim}'" for claim in ids)
    if desk.database.is_sqlite:
        desk.change(
            text(
                f"CREATE TRIGGER poison BEFORE UPDATE ON claims WHEN new.id IN ({named}) "
                "BEGIN SELECT RAISE(ABORT, 'poisoned'); END"
            )
        )
        return
    desk.change(
        text("CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poisoned'; END $$")
    )
    desk.change(
        text(
            f"CREATE TRIGGER poison BEFORE UPDATE ON claims FOR EACH ROW WHEN (new.id IN ({named})) "
            "EXECUTE FUNCTION poison()"
        )
    )


def cure(desk: Desk) -> None:
    desk.change(text("DROP TRIGGER poison" if desk.database.is_sqlite else "DROP TRIGGER poison ON claims"))


def test_three_rows_that_cannot_be_stored_fail_and_a_retry_moves_only_those(desk: Desk) -> None:
    ids = add_claims(desk, 500)
    poisoned = [ids[7], ids[49], ids[400]]
    poison(desk, poisoned)
    sheet = plan(desk, status="Accepted", claims=seen(desk, ids))
    ended = run_to_end(desk, sheet)
    assert ended["outcome"] == {"done": 497, "skipped": 0, "failed": 3, "left": 0}
    assert ended["problems"]["count"] == 3
    assert [(row["_id"], row["outcome"], row["why"]) for row in ended["problems"]["items"]] == [
        (claim, "failed", "This claim could not be saved. Try again.") for claim in poisoned
    ]
    assert [claim for claim, status in sorted(statuses(desk).items()) if status == "Pending"] == poisoned
    assert logged_moves(desk, sheet) == [claim for claim in ids if claim not in poisoned]

    still_ill = plan(desk, retryOf=sheet["_id"])
    assert (still_ill["status"], still_ill["count"]) == ("Accepted", 3)
    assert run_to_end(desk, still_ill)["outcome"] == {"done": 0, "skipped": 0, "failed": 3, "left": 0}

    cure(desk)
    retry = plan(desk, retryOf=still_ill["_id"])
    assert run_to_end(desk, retry)["outcome"] == {"done": 3, "skipped": 0, "failed": 0, "left": 0}
    assert logged_moves(desk, retry) == poisoned
    assert [claim for claim, _, _ in moves(desk)] == ids
    assert len(desk.audit("claim.moved")) == 500


def test_three_rows_moved_by_another_admin_are_skipped_and_a_retry_uses_their_current_versions(desk: Desk) -> None:
    ids = add_claims(desk, 500)
    sheet = plan(desk, status="Rejected", reason="Not ours.", claims=seen(desk, ids))
    theirs = [ids[0], ids[250], ids[499]]
    for claim in theirs:
        assert desk.move(claim, "Accepted", by="ravi").status_code == 200
    ended = run_to_end(desk, sheet)
    assert ended["outcome"] == {"done": 497, "skipped": 3, "failed": 0, "left": 0}
    assert [row["_id"] for row in ended["problems"]["items"]] == theirs
    assert all(row["why"].startswith("ravi moved this claim to Accepted at ") for row in ended["problems"]["items"])

    retry = plan(desk, retryOf=sheet["_id"])
    assert (retry["count"], retry["willMove"]["count"], retry["reason"]) == (3, 3, "Not ours.")
    assert run_to_end(desk, retry)["outcome"] == {"done": 3, "skipped": 0, "failed": 0, "left": 0}
    assert logged_moves(desk, retry) == theirs
    assert set(statuses(desk).values()) == {"Rejected"}
