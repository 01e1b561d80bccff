"""The SQL of the operator's guide: a role with which the server works and cannot alter the audit log."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg

from tests.house.repository import text_of

_CHAPTER = re.search(r"### A role that cannot alter the audit log\n.*?\n## ", text_of("docs/operating.md"), re.DOTALL)
assert _CHAPTER is not None
# As postgres, and as the owner of the tables.
MAKE_ROLE, GIVE_RIGHTS = re.findall(r"```sql\n(.*?)```", _CHAPTER[0], re.DOTALL)


def of_role(url: str, role: str) -> str:
    return re.sub(r"//[^@]+@", f"//{role}:PASSWORD@", url)


def give_rights(owner_url: str) -> None:
    """May be repeated. The owner of most test databases has another name than in the guide."""
    owner = urlsplit(owner_url).username
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(GIVE_RIGHTS.replace("FOR ROLE desk ", f"FOR ROLE {owner} "))


@contextmanager
def server_role(superuser_url: str, owner_url: str) -> Iterator[str]:
    """The URL of the servers. Both others name the same database."""
    with psycopg.connect(superuser_url, autocommit=True) as superuser:
        superuser.execute(MAKE_ROLE)
        try:
            give_rights(owner_url)
            yield of_role(owner_url, "desk_server")
        finally:
            superuser.execute("DROP OWNED BY desk_server; DROP ROLE desk_server")
