"""The server works with the role of the operator's guide, which cannot alter the audit log."""

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from countinghouse.audit.sealing import has_unsealed
from countinghouse.settings import Settings
from tests.audit.sealed import audit, seal, seal_and_sign
from tests.audit.server_role import GIVE_RIGHTS, of_role, server_role
from tests.backups.kept import back_up
from tests.cli.command import countinghouse
from tests.databases import Template
from tests.desk import Desk
from tests.event_loop import run
from tests.partitions.history import partitioned
from tests.pictures import qr_png


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_the_server_works_and_can_only_append_to_the_log(database_url: str, template: Template, tmp_path: Path) -> None:
    with server_role(database_url, database_url) as restricted:
        assert countinghouse(restricted, "policy", "set", "two-persons", "on").returncode == 0
        desk = Desk(Settings(database_url=restricted, _env_file=None), template.tokens)
        claim_id = desk.add_claim_moved_to("Accepted")
        assert desk.move(claim_id, "Paid", by="ravi", reference="UTR000111222").status_code == 200
        assert desk.upload(qr_png()).status_code == 200
        seal_and_sign(desk, tmp_path)
        assert not run(desk.app_database.read(has_unsealed))
        assert audit(restricted, tmp_path, "verify").returncode == 0
        for statement in (
            "UPDATE audit_log SET actor = 'nobody'",
            "DELETE FROM audit_log",
            "TRUNCATE audit_log",
            "UPDATE audit_seals SET seal = 'x'",
            "DELETE FROM audit_seals",
            "TRUNCATE audit_seals",
            "ALTER TABLE audit_log DISABLE TRIGGER USER",
            "DROP TRIGGER audit_log_keeps ON audit_log",
            "DROP TABLE audit_seals",
            "SET session_replication_role = replica",
            "UPDATE alembic_version SET version_num = '0001'",
            "UPDATE schema_compatibility SET oldest_revision = '0001'",
        ):
            with (
                psycopg.connect(restricted) as server,
                pytest.raises(psycopg.Error, match=r"permission denied|must be owner"),
            ):
                server.execute(statement)
        assert seal(desk) == 0
        desk.close()


@pytest.fixture
def owner_url(postgres_url: str) -> Iterator[str]:
    """A database without tables, and its owner, as docs/install.md makes them."""
    with psycopg.connect(postgres_url, autocommit=True) as superuser:
        superuser.execute("CREATE ROLE desk LOGIN CREATEDB PASSWORD 'PASSWORD'")
        try:
            superuser.execute("CREATE DATABASE desk OWNER desk")
            yield of_role(postgres_url, "desk").rsplit("/", 1)[0] + "/desk"
        finally:
            superuser.execute("DROP DATABASE IF EXISTS desk WITH (FORCE)")
            superuser.execute("DROP ROLE desk")


def test_the_guide_can_be_followed_word_for_word(postgres_url: str, owner_url: str, tmp_path: Path) -> None:
    assert countinghouse(owner_url, "policy", "show").returncode == 0
    with (
        server_role(postgres_url.rsplit("/", 1)[0] + "/desk", owner_url) as restricted,
        psycopg.connect(owner_url, autocommit=True) as owner,
    ):
        # As a later migration would, while servers run.
        owner.execute("CREATE TABLE later_changes (id bigint GENERATED ALWAYS AS IDENTITY, name text)")
        with psycopg.connect(restricted) as server:
            server.execute("INSERT INTO later_changes (name) VALUES ('x')")
        back_up(restricted, tmp_path, tmp_path / "desk.backup")
        for on_off in ("on", "off") * 6:
            assert countinghouse(restricted, "policy", "set", "two-persons", on_off).returncode == 0
        partitioned(owner_url)
        owner.execute(GIVE_RIGHTS)
        rights = owner.execute(
            "SELECT relid::regclass::text, has_table_privilege('desk_server', relid, 'SELECT'), "
            "has_table_privilege('desk_server', relid, 'UPDATE, DELETE, TRUNCATE') "
            "FROM pg_partition_tree('audit_log')"
        ).fetchall()
        assert len(rights) > 2
        assert {(can_read, can_alter) for _, can_read, can_alter in rights} == {(True, False)}


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_a_command_says_that_its_role_lacks_a_right(database_url: str) -> None:
    role = f"desk_{uuid4().hex}"
    with psycopg.connect(database_url, autocommit=True) as owner:
        owner.execute(f"CREATE ROLE {role} LOGIN PASSWORD 'PASSWORD'")
        try:
            ended = countinghouse(re.sub(r"//[^@]+@", f"//{role}:PASSWORD@", database_url), "admin", "list")
        finally:
            owner.execute(f"DROP ROLE {role}")
    assert ended.returncode == 1
    assert ended.stderr.startswith("The role of this database URL may not do that (permission denied for ")
    assert ended.stderr.endswith("): use the owner's database URL.\n")
