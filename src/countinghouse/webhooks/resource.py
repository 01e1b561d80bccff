"""What the rest of the desk knows of webhooks."""

from countinghouse.admins.permissions import Role, permission
from countinghouse.core.resource import Resource, Verb


class WebhookVerb(Verb):
    ADDED = "webhook.added"
    CHANGED = "webhook.changed"
    SECRET_ROTATED = "webhook.secret_rotated"  # noqa: S105 - a verb
    DISABLED = "webhook.disabled"
    REMOVED = "webhook.removed"
    RESENT = "webhook.resent"
    TESTED = "webhook.tested"


READ = permission("webhooks.read", Role.AUDITOR)
MANAGE = permission("webhooks.manage")


RESOURCE = Resource("webhooks", "/Settings/Webhooks", live_verbs=WebhookVerb)
