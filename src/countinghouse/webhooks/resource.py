"""What the rest of the desk knows of webhooks."""

from countinghouse.admins.permissions import Role, permission
from countinghouse.core.resource import Resource, Verb


class WebhookVerb(Verb):
    ADDED = "webhook.added", "Added a webhook"
    CHANGED = "webhook.changed", "Changed a webhook"
    SECRET_ROTATED = "webhook.secret_rotated", "Replaced the secret of a webhook"
    DISABLED = "webhook.disabled", "Disabled a webhook"
    REMOVED = "webhook.removed", "Removed a webhook"
    RESENT = "webhook.resent", "Sent events again"
    TESTED = "webhook.tested", "Tested a webhook"


READ = permission("webhooks.read", Role.AUDITOR)
MANAGE = permission("webhooks.manage")


RESOURCE = Resource("webhooks", "/Settings/Webhooks", live_verbs=WebhookVerb)
