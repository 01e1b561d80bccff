"""`python -m drills NAME`."""

import pytest

from drills.__main__ import main


def test_a_drill_that_does_not_exist_is_not_reported_as_well() -> None:
    with pytest.raises(SystemExit, match="There is no drill named pusher or raced"):
        main(["raced", "pushers", "pusher"])
