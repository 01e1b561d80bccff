"""Which database engines a test runs on: both, unless it says otherwise."""

import pytest

# For behaviour that does not depend on the engine: it is decided before the query, or after its result.
on_one_engine = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
