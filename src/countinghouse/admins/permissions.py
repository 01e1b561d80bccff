"""Roles, and permissions named `noun.verb`. Each room declares the permissions of its noun; routes name them."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from countinghouse.core.errors import Forbidden


class Role(StrEnum):
    OWNER = "owner"
    PAYER = "payer"
    REVIEWER = "reviewer"
    QR_MANAGER = "qr-manager"
    VIEWER = "viewer"
    AUDITOR = "auditor"

    @property
    def label(self) -> str:
        return {Role.QR_MANAGER: "QR manager"}.get(self, self.value.capitalize())


EVERYBODY = frozenset(Role)


class Permission(NamedTuple):
    name: str
    roles: frozenset[Role]


# In the order of declaration. `GET /api/admin/me` lists those of the admin, and a test compares them with the routes.
PERMISSIONS: dict[str, Permission] = {}


def permission(name: str, *roles: Role, everybody: bool = False) -> Permission:
    """An owner has every permission."""
    made = Permission(name, EVERYBODY if everybody else frozenset({Role.OWNER, *roles}))
    PERMISSIONS[name] = made
    return made


def permissions_of(role: Role) -> list[str]:
    return [each.name for each in PERMISSIONS.values() if role in each.roles]


def refuse_unless(role: Role, needed: Iterable[Permission]) -> None:
    """One of the permissions is enough."""
    needed = tuple(needed)
    if any(role in each.roles for each in needed):
        return
    names = " or ".join(each.name for each in needed)
    message = f"Your role, {role.label}, does not include this ({names}). Ask an owner of the desk."
    raise Forbidden("permission_missing", message, {"permission": needed[0].name})


# What every admin may do with what is their own: the session, saved views, exports under way, the open tab.
OWN = permission("own.use", everybody=True)
# Account and mobile numbers in full; the other roles see the last four digits. It decides what the answers contain; and
# payment proofs, which cannot be masked, are refused without it.
NUMBERS = permission("numbers.read", Role.PAYER, Role.REVIEWER, Role.AUDITOR)
ADMINS_READ = permission("admins.read", Role.AUDITOR)
ADMINS_MANAGE = permission("admins.manage")
