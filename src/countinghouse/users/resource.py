"""What the rest of the desk knows of users."""

from countinghouse.admins.permissions import permission
from countinghouse.core.listing import ListQuery
from countinghouse.core.masking import Holds
from countinghouse.core.resource import CREATED_AT, Column, ListedRows, Resource
from countinghouse.users.queries import USERS
from countinghouse.users.tables import users

# Also in the files of whatever belongs to a user.
CONTACT_COLUMNS = (Column("User Name", "username", width=24), Column("Mobile", "mobile", holds=Holds.NUMBER))

READ = permission("users.read", everybody=True)


RESOURCE = Resource(
    "users",
    "/reg",
    ListedRows(
        USERS,
        ListQuery,
        (
            CREATED_AT,
            *CONTACT_COLUMNS,
            Column("ID", "row_id", width=26),
            Column("External ID", "external_id", width=26, holds=Holds.REFERENCE),
        ),
        more=(users.c.id.label("row_id"), users.c.external_id),
    ),
    has_views=True,
)
