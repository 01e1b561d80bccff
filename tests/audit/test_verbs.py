"""The audit log names what happened by verbs that each room declares. Together they are one closed list."""

from countinghouse.cli import app
from countinghouse.core.resource import Verb
from countinghouse.resources import LIVE_VERBS

# A verb that was once written stays in the log for ever: it may be added to this list, and never renamed.
WRITTEN = {
    "admin.added",
    "admin.disabled",
    "admin.enabled",
    "admin.factor_added",
    "admin.factor_removed",
    "admin.factors_reset",
    "admin.invitation_withdrawn",
    "admin.invited",
    "admin.password_changed",
    "admin.recovery_codes_made",
    "admin.reset_offered",
    "admin.reveals_refused",
    "admin.role_changed",
    "admin.searches_refused",
    "admin.setup_offered",
    "audit.accepted",
    "audit.numbering_set_back",
    "backup.made",
    "backup.restored",
    "baseline.recorded",
    "batch.confirmed",
    "batch.ended",
    "batch.left",
    "batch.planned",
    "claim.added",
    "claim.corrected",
    "claim.moved",
    "claim.revealed",
    "client.noted",
    "client.revealed",
    "demo.filled",
    "export.ended",
    "export.requested",
    "import.cancelled",
    "import.ended",
    "import.planned",
    "import.started",
    "import.uploaded",
    "key.added",
    "key.revoked",
    "list.read",
    "login.refused",
    "partition.made",
    "policy.changed",
    "purchase.added",
    "purchase.confirmed",
    "purchase.proof_added",
    "purchase.reopened",
    "qr.confirmed",
    "qr.deleted",
    "qr.display_requested",
    "qr.display_withdrawn",
    "qr.read",
    "qr.status_changed",
    "qr.uploaded",
    "session.ended",
    "session.factor_refused",
    "session.opened",
    "session.step_up_granted",
    "session.step_up_used",
    "user.added",
    "user.corrected",
    "view.changed",
    "view.deleted",
    "view.saved",
    "webhook.added",
    "webhook.changed",
    "webhook.disabled",
    "webhook.removed",
    "webhook.resent",
    "webhook.secret_rotated",
    "webhook.tested",
}


def test_the_rooms_declare_exactly_the_known_verbs_each_once() -> None:
    # The commands import every room.
    assert app is not None
    declared = [str(verb) for room in Verb.__subclasses__() for verb in room]
    assert sorted(declared) == sorted(WRITTEN)


def test_each_verb_has_a_label_of_its_own() -> None:
    labels = [verb.label for room in Verb.__subclasses__() for verb in room]
    assert len(set(labels)) == len(labels)
    assert all(label[0].isupper() and "." not in label and len(label) <= 50 for label in labels)


def test_screens_hear_of_changes_to_what_they_show_and_not_of_logins() -> None:
    rooms = {verb.partition(".")[0] for verb in LIVE_VERBS}
    assert rooms == {"batch", "claim", "client", "policy", "purchase", "qr", "webhook"}
