"""The data for the drills: claims of one client, and signed-in admins without the cost of hashing a password."""

from collections import Counter
from datetime import timedelta

from sqlalchemy import func, insert, select

from countinghouse.admins.tables import admins, sessions
from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.core.ids import new_id
from countinghouse.core.secrets import hash_secret
from countinghouse.core.times import now
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users
from tests.direct_database import DirectDatabase


def add_claims(database: DirectDatabase, count: int) -> list[str]:
    at, user_id, purchase_id = now(), new_id(), new_id()
    user = {"id": user_id, "created_at": at, "username": "Ananya Iyer", "mobile": "9805756092"}
    purchase = {
        "id": purchase_id,
        "created_at": at,
        "user_id": user_id,
        "invest_paise": 500_000,
        "daily_income_paise": 6_250,
        "upi_id": "631902345678",
        "claim_type": "Daily",
        "qr_name": "Desk 1",
    }
    claim = {
        "created_at": at,
        "user_id": user_id,
        "purchase_id": purchase_id,
        "amount_paise": 193_750,
        "account_no": "004512345678",
        "ifsc": "HDFC0001234",
        "address": "14 MG Road, Kochi 682016",
        "status": "Pending",
    }
    ids = [new_id() for _ in range(count)]
    with database.writing() as connection:
        connection.execute(insert(users).values(user))
        connection.execute(insert(purchases).values(purchase))
        connection.execute(insert(claims).inline(), [claim | {"id": claim_id} for claim_id in ids])
    return ids


def slow_down_moves(database: DirectDatabase, milliseconds: int) -> None:
    """Makes each move slower, so that a few hundred can be caught in the middle, even on a busy machine."""
    if database.is_sqlite:
        # SQLite has no sleep, and no recursion in a trigger. Counting in a view takes about that long.
        statements = [
            "CREATE VIEW some_work AS WITH RECURSIVE step (number) AS"  # noqa: S608 - our own number
            f" (SELECT 1 UNION ALL SELECT number + 1 FROM step WHERE number < {milliseconds * 2000})"
            " SELECT count(*) AS steps FROM step",
            "CREATE TRIGGER slow_move AFTER UPDATE OF status ON claims BEGIN SELECT steps FROM some_work; END",
        ]
    else:
        statements = [
            "CREATE FUNCTION slow_move() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN PERFORM pg_sleep({milliseconds / 1000}); RETURN new; END $$",
            "CREATE TRIGGER slow_move BEFORE UPDATE OF status ON claims FOR EACH ROW EXECUTE FUNCTION slow_move()",
        ]
    with database.writing() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def add_signed_in_admins(database: DirectDatabase, count: int) -> list[str]:
    """Returns their names, which are also their tokens."""
    at = now()
    names = [f"racer{number}" for number in range(count)]
    admin_rows = [
        {"id": new_id(), "username": name, "username_key": name, "password_hash": "none", "created_at": at}
        for name in names
    ]
    session_rows = [
        {
            "token_hash": hash_secret(str(admin["username"])),
            "admin_id": admin["id"],
            "created_at": at,
            "last_seen_at": at,
            "expires_at": at + timedelta(hours=12),
        }
        for admin in admin_rows
    ]
    with database.writing() as connection:
        connection.execute(insert(admins).inline(), admin_rows)
        connection.execute(insert(sessions).inline(), session_rows)
    return names


def find_faults_in_history(database: DirectDatabase, wanted: list[tuple[str, str]]) -> list[str]:
    """Each of these moves must be there exactly once, with nothing else in the audit log."""
    with database.reading() as connection:
        rows = connection.execute(select(claim_transitions.c.claim_id, claim_transitions.c.to_status))
        moves = Counter((claim_id, to_status) for claim_id, to_status in rows)
        logged = connection.execute(
            select(func.count()).select_from(audit_log).where(audit_log.c.verb == "claim.moved")
        ).scalar_one()
    faults = [f"{move}: {moves[move]} moves in its history" for move in wanted if moves[move] != 1]
    if logged != len(wanted):
        faults.append(f"{logged} rows in the audit log for {len(wanted)} moves")
    return faults
