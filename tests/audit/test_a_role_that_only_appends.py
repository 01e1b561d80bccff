"""The SQL of the operator's guide: a role with which the server works and cannot alter the audit log."""

import re
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from countinghouse.audit.sealing import has_unsealed
from countinghouse.settings import Settings
from tests.audit.sealed import audit, seal, seal_and_sign
from tests.cli.command import countinghouse
from tests.databases import Template
from tests.desk import Desk
from tests.event_loop import run
from tests.house.repository import text_of
from tests.pictures import qr_png

GUIDE = re.search(r"```sql\n(CREATE ROLE desk_server.*?)```", text_of("docs/operating.md"), re.DOTALL)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_the_server_works_and_can_only_append_to_the_log(database_url: str, template: Template, tmp_path: Path) -> None:
    assert GUIDE is not None
    role = f"desk_{uuid4().hex}"
    with psycopg.connect(database_url, autocommit=True) as owner:
        owner.execute(GUIDE[1].replace("desk_server", role))
        try:
            restricted = re.sub(r"//[^@]+@", f"//{role}:PASSWORD@", database_url)
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
            # As a later migration would, while servers run.
            owner.execute("CREATE TABLE later_changes (id bigint GENERATED ALWAYS AS IDENTITY, name text)")
            with psycopg.connect(restricted) as server:
                server.execute("INSERT INTO later_changes (name) VALUES ('x')")
        finally:
            owner.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")


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
