"""What the audit log says about admins: name and role, whether they are disabled, and their second factors."""

from collections.abc import Callable
from hashlib import sha256

from sqlalchemy import func, select

from countinghouse.admins.factors.tables import passkeys, totp_secrets
from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins
from countinghouse.audit.chain import AuditRow
from countinghouse.audit.records import Kind, State, details_of
from countinghouse.core.inputs import name_key

_DIGEST = "passwordDigest"


def logged_password(password_hash: str) -> dict[str, str]:
    """With it the log tells that the stored hash was replaced, and nothing about the password: no guess can be tested
    without the 128 random bits that Argon2 has put into the hash."""
    return {_DIGEST: sha256(password_hash.encode(errors="surrogatepass")).hexdigest()}


# How many; an admin has at most one authenticator app.
_NO_FACTORS: State = {"totp": 0, "passkey": 0}


def _logged_state(row: AuditRow, before: Callable[[str], State]) -> tuple[str, State] | None:
    found = _told(row, before)
    if found is None:
        return None
    admin_id, state = found
    return admin_id, state | {"hasFactor": any(state.get(name, 0) > 0 for name in _NO_FACTORS)}


def _told(row: AuditRow, before: Callable[[str], State]) -> tuple[str, State] | None:
    """Rows about invitations tell of no admin: whoever accepts one is added."""
    after, admin_id = details_of(row), row["subject_id"]
    logged = {name: after[name] for name in ("username", "role", _DIGEST) if name in after}
    if "username" in logged:
        # What decides who logs in, and whether two admins are the same person.
        logged["usernameKey"] = name_key(str(logged["username"]))
    match row["verb"]:
        case "admin.added":
            # Older rows have no role: whoever was an admin then became an owner.
            return admin_id, {"role": Role.OWNER.value, "disabled": False} | _NO_FACTORS | logged
        case "admin.role_changed":
            return admin_id, before(admin_id) | logged
        case "admin.password_changed":
            # An instance of 0.1.0 does not say to what.
            known = {name: value for name, value in before(admin_id).items() if name != _DIGEST}
            return admin_id, known | logged
        case "admin.disabled" | "admin.enabled":
            return admin_id, before(admin_id) | {"disabled": row["verb"] == "admin.disabled"}
        case "admin.factor_added":
            return admin_id, _counted(before(admin_id), after.get("factor"), 1)
        case "admin.factor_removed":
            return admin_id, _counted(before(admin_id), details_of(row, "before").get("factor"), -1)
        case "admin.factors_reset":
            return admin_id, before(admin_id) | _NO_FACTORS
    return None


def _counted(state: State, factor: object, more: int) -> State:
    return state | {name: state.get(name, 0) + more for name in _NO_FACTORS if name == factor}


_totp = select(func.count()).where(totp_secrets.c.admin_id == admins.c.id, totp_secrets.c.confirmed_at.is_not(None))
_passkeys = select(func.count()).where(passkeys.c.admin_id == admins.c.id)

ADMIN_KIND = Kind(
    "admin",
    "admin",
    _logged_state,
    select(
        admins.c.id,
        admins.c.username,
        admins.c.username_key,
        admins.c.role,
        admins.c.password_hash,
        admins.c.disabled_at,
        admins.c.has_factor,
        _totp.scalar_subquery().label("totp"),
        _passkeys.scalar_subquery().label("passkeys"),
    ),
    admins.c.id,
    lambda row: {
        "username": row.username,
        "usernameKey": row.username_key,
        "role": row.role,
        **logged_password(row.password_hash),
        "disabled": row.disabled_at is not None,
        "totp": row.totp,
        "passkey": row.passkeys,
        # Instances of 0.1.0 go by this column.
        "hasFactor": row.has_factor,
    },
    later=(_DIGEST,),
    later_in_words="the password",
)
