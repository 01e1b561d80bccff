import pytest
from sqlalchemy import insert

from countinghouse.core.database import Database
from countinghouse.policy.tables import policy_rules
from countinghouse.settings import Settings
from tests.desk import NEWEST


@pytest.fixture
def one_admin_displays(database_url: str) -> None:
    """Switch off the rule for new payees, so that one admin can display a code."""
    database = Database(Settings(database_url=database_url, _env_file=None).database)
    row = {"rule": "newPayeeNeedsSecondAdmin", "setting": "off", "set_by": "command", "set_at": NEWEST}
    with database.writing() as connection:
        connection.execute(insert(policy_rules).values(row))
    database.close()
