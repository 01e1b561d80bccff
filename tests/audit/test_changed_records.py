"""A record that somebody changed directly in the database is found by `countinghouse audit verify`."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import delete, func, insert, select, text, update

from countinghouse.admins.factors.tables import passkeys
from countinghouse.admins.tables import admins
from countinghouse.claims.tables import claim_transitions, claims, payout_references
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.keys.tables import api_keys
from countinghouse.policy.tables import policy_rules
from countinghouse.qr.tables import qr_codes, qr_displays, qr_images
from countinghouse.users.tables import users
from countinghouse.webhooks.tables import webhook_endpoints
from tests.audit.sealed import disable_triggers, seal_and_sign
from tests.audit.sealed import verified as verify
from tests.audit.test_verifying import work
from tests.databases import Template
from tests.desk import Desk
from tests.pictures import code_for


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("worked", work)


DISPLAYED = select(qr_codes.c.image_key).where(qr_codes.c.status == "display").scalar_subquery()
UPLOADED = select(qr_codes.c.upload_key).where(qr_codes.c.status == "display").scalar_subquery()
OTHER_PICTURE = code_for("thief@okbank")
OTHER = {"content": OTHER_PICTURE, "sha256": sha256(OTHER_PICTURE).hexdigest()}
STORED = {
    "claim": update(claims).where(claims.c.status == "Paid").values(status="Accepted"),
    "claim, its account": update(claims).where(claims.c.status == "Paid").values(account_no="009999999999"),
    "claim, its client": update(claims)
    .where(claims.c.status == "Paid")
    .values(user_id=select(func.min(users.c.id)).where(users.c.id != claims.c.user_id).scalar_subquery()),
    "claim, its address": update(claims).where(claims.c.status == "Paid").values(address="1 Thief Road, Pune"),
    "claim, the address of one added": update(claims)
    .where(claims.c.external_id.is_not(None))
    .values(address="1 Thief Road, Pune"),
    "claim, one added": update(claims).where(claims.c.external_id.is_not(None)).values(ifsc="SBIN0000001"),
    "claim, its round": update(claims).where(claims.c.status == "Returned").values(payout_round=0),
    "claim, its version": update(claims).where(claims.c.status == "Paid").values(version=7),
    "move of claim, its round": update(claim_transitions)
    .where(claim_transitions.c.to_status == "Paid")
    .values(payout_round=7),
    "move of claim, its beginning": update(claim_transitions)
    .where(claim_transitions.c.to_status == "Paid")
    .values(from_status="Pending"),
    "move of claim, one imported": text(
        "INSERT INTO claim_transitions (id, claim_id, from_status, to_status, moved_by, moved_at, number, payout_round)"
        f" SELECT '{new_id()}', id, 'Pending', 'Paid', 'imported', created_at, 1, 0 FROM claims "
        "WHERE id = (SELECT max(id) FROM claims WHERE version = 0)"
    ),
    "move of claim": update(claim_transitions).where(claim_transitions.c.to_status == "Paid").values(moved_by="ravi"),
    "move of claim, its end": update(claim_transitions)
    .where(claim_transitions.c.to_status == "Accepted")
    .values(to_status="Rejected"),
    "payout reference": update(payout_references).values(reference="UTR000111223"),
    "payout reference, one more": text(
        "INSERT INTO payout_references (id, claim_id, number, reference, recorded_at) "
        f"SELECT '{new_id()}', claim_id, number + 5, 'UTR9', recorded_at FROM payout_references"
    ),
    "QR code": update(qr_codes).where(qr_codes.c.status == "display").values(payee="thief@okbank"),
    "QR code, its display": update(qr_codes).where(qr_codes.c.deleted_at.is_(None)).values(status="hide"),
    "QR code, what customers scan": update(qr_images).where(qr_images.c.key == DISPLAYED).values(OTHER),
    "QR code, what was uploaded": update(qr_images).where(qr_images.c.key == UPLOADED).values(OTHER),
    "QR code, its text": update(qr_codes).values(payload="upi://pay?pa=thief@okbank"),
    "QR code, its name": update(qr_codes).values(name="Desk 9"),
    "QR code, its findings": update(qr_codes).values(findings='["no_upi"]'),
    "QR code, its fixed amount": update(qr_codes).values(fixed_amount="1.00"),
    "QR code, who uploaded it": update(qr_codes).values(uploaded_by="ravi"),
    "QR code, who confirmed it": update(qr_codes).values(confirmed_by="ravi", confirmed_at=now()),
    "QR code, why it was confirmed": update(qr_codes).values(confirm_reason="Ours."),
    "QR code, who asked for it": update(qr_codes).values(display_requested_by="ravi"),
    "QR code, what it would replace": update(qr_codes).values(display_replaces=qr_codes.c.id),
    "QR code, its other address": update(qr_codes).where(qr_codes.c.status == "display").values(former_key="x" * 43),
    "QR code, that it may be displayed": update(qr_codes).where(qr_codes.c.status == "hide").values(is_cleared=False),
    "QR code, one more display": text(
        "INSERT INTO qr_displays (id, qr_id, name, shown_at, hidden_at) SELECT id, id, name, created_at, created_at "
        "FROM qr_codes WHERE status = 'hide'"
    ),
    "QR code, one display less": delete(qr_displays),
    "policy rule": update(policy_rules).values(setting="off"),
    "policy rule, one less": delete(policy_rules),
    "admin": update(admins).where(admins.c.username == "ravi").values(role="payer"),
    "admin, the password": update(admins).where(admins.c.username == "ravi").values(password_hash="$argon2id$x"),
    "admin, one disabled": update(admins).where(admins.c.username == "ravi").values(disabled_at=now()),
    "admin, one added": insert(admins).values(
        id=new_id(), created_at=now(), username="eve", username_key="eve", password_hash="x", role="owner"
    ),
    "admin, a passkey less": delete(passkeys),
    "admin, a passkey more": text(
        "INSERT INTO passkeys (id, admin_id, credential_id, public_key, sign_count, name, created_at) "
        f"SELECT '{new_id()}', admin_id, public_key, public_key, 0, name, created_at FROM passkeys"
    ),
    "API key, its scopes": update(api_keys).values(scopes="read claims:write"),
    "API key, its networks": update(api_keys).values(networks="198.51.100.0/24"),
    "API key, one more": insert(api_keys).values(
        {"id": new_id(), "name": "eve", "name_key": "eve", "key_hash": b"x" * 32, "prefix": "chk", "scopes": "read"}
        | {"networks": "", "created_at": now(), "created_by": "asha"}
    ),
    "API key, one that was revoked": update(api_keys).values(revoked_at=now()),
    "webhook, its address": update(webhook_endpoints).values(url="https://thief.example.in/hooks"),
    "webhook, its events": update(webhook_endpoints).values(events=["claim.rejected"]),
    "webhook, one that was disabled": update(webhook_endpoints).values(disabled_at=now()),
    "admin, an app more": text(
        "INSERT INTO totp_secrets (admin_id, secret, created_at, confirmed_at, last_step) "
        "SELECT id, 'JBSWY3DPEHPK3PXP', created_at, created_at, 0 FROM admins"
    ),
}


@pytest.mark.parametrize("kind", STORED)
def test_a_record_that_was_changed_directly_is_found(desk: Desk, database_url: str, tmp_path: Path, kind: str) -> None:
    seal_and_sign(desk, tmp_path)
    triggered = "payout_references", "qr_codes", "qr_images", "qr_displays", "claim_transitions", "claims"
    disable_triggers(desk, *triggered)
    desk.change(STORED[kind])
    code, said = verify(database_url, tmp_path)
    assert code == 1, said
    assert f"the {kind.partition(',')[0]} " in said
