"""What the audit log says about API keys: what each may do, from where, until when, and whether it is revoked."""

from collections.abc import Callable

from sqlalchemy import select

from countinghouse.audit.chain import AuditRow
from countinghouse.audit.records import Kind, State, details_of
from countinghouse.core.inputs import name_key
from countinghouse.core.times import iso
from countinghouse.keys.tables import api_keys

_FACTS = ("name", "prefix", "scopes", "networks", "expiresAt")


def _logged_state(row: AuditRow, before: Callable[[str], State]) -> tuple[str, State] | None:
    key_id, after = row["subject_id"], details_of(row)
    match row["verb"]:
        case "key.added":
            state = {name: after[name] for name in _FACTS if name in after}
            state |= {"nameKey": name_key(str(state["name"]))} if "name" in state else {}
            return key_id, state | {"by": row["actor"], "revoked": False, "revokedBy": None}
        case "key.revoked":
            return key_id, before(key_id) | {"revoked": True, "revokedBy": row["actor"]}
    return None


KEY_KIND = Kind(
    "API key",
    "key",
    _logged_state,
    select(
        api_keys.c.id,
        api_keys.c.name,
        api_keys.c.name_key,
        api_keys.c.created_by,
        api_keys.c.revoked_by,
        api_keys.c.prefix,
        api_keys.c.scopes,
        api_keys.c.networks,
        api_keys.c.expires_at,
        api_keys.c.revoked_at,
    ),
    api_keys.c.id,
    lambda row: {
        "name": row.name,
        "nameKey": row.name_key,
        "by": row.created_by,
        "revokedBy": row.revoked_by,
        "prefix": row.prefix,
        "scopes": row.scopes.split(),
        "networks": row.networks.split(),
        "expiresAt": None if row.expires_at is None else iso(row.expires_at),
        "revoked": row.revoked_at is not None,
    },
)
