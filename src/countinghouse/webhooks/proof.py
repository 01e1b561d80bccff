"""What the audit log says about webhooks: where each sends which events, and whether it does."""

import json
from collections.abc import Callable

from sqlalchemy import select

from countinghouse.audit.chain import AuditRow
from countinghouse.audit.records import Kind, State, details_of
from countinghouse.webhooks.tables import webhook_endpoints

_FACTS = ("url", "events", "isEnabled")


def _logged_state(row: AuditRow, before: Callable[[str], State]) -> tuple[str, State] | None:
    endpoint_id, after = row["subject_id"], details_of(row)
    match row["verb"]:
        case "webhook.added":
            state: State = {"isEnabled": True, "removed": False}
        case "webhook.changed" | "webhook.disabled":
            state = before(endpoint_id)
        case "webhook.removed":
            return endpoint_id, before(endpoint_id) | {"removed": True}
        case _:
            return None
    return endpoint_id, state | {name: after[name] for name in _FACTS if name in after}


_endpoint = webhook_endpoints.c
WEBHOOK_KIND = Kind(
    "webhook",
    "webhook",
    _logged_state,
    select(_endpoint.id, _endpoint.url, _endpoint.events, _endpoint.disabled_at, _endpoint.removed_at),
    _endpoint.id,
    lambda row: {
        "url": row.url,
        "events": json.loads(row.events) if isinstance(row.events, str) else row.events,
        "isEnabled": row.disabled_at is None,
        "removed": row.removed_at is not None,
    },
)
