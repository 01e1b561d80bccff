"""Which databases a test runs on: on both, unless it says otherwise."""

import pytest

# For what is decided before the database is asked, or after it has answered.
on_one_engine = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
