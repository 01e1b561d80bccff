import pytest
from sqlalchemy import insert

from countinghouse.policy.tables import policy_rules
from tests.desk import NEWEST
from tests.direct_database import DirectDatabase


@pytest.fixture
def one_admin_displays(database_url: str) -> None:
    """Switch off the rule for new payees, so that one admin can display a code."""
    database = DirectDatabase(database_url)
    row = {"rule": "newPayeeNeedsSecondAdmin", "setting": "off", "set_by": "command", "set_at": NEWEST}
    with database.writing() as connection:
        connection.execute(insert(policy_rules).values(row))
    database.close()
