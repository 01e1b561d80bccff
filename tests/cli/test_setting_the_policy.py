"""`countinghouse policy …`, through the real command."""

import pytest

from tests.cli.command import countinghouse
from tests.desk import Desk
from tests.engines import on_one_engine


def test_the_operator_can_set_show_and_relax_the_rules(database_url: str, desk: Desk) -> None:
    assert "off" in countinghouse(database_url, "policy", "show").stdout
    for rule, setting in (("two-persons", "on"), ("paid-needs-reference", "on"), ("second-look-above", "49999.50")):
        ended = countinghouse(database_url, "policy", "set", rule, setting)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"{rule} is {setting} now.\n", "")
    shown = desk.get("/api/policy").json()
    assert (shown["twoPersons"], shown["paidNeedsReference"], shown["secondLookAbove"]) == (True, True, 49999.5)
    assert {change["by"] for change in shown["changes"]} == {"command"}
    listed = countinghouse(database_url, "policy", "show").stdout
    assert "49999.50" in listed
    assert "command" in listed
    for rule in ("two-persons", "paid-needs-reference", "second-look-above"):
        assert countinghouse(database_url, "policy", "set", rule, "off").returncode == 0
    shown = desk.get("/api/policy").json()
    assert (shown["twoPersons"], shown["paidNeedsReference"], shown["secondLookAbove"]) == (False, False, None)
    assert [row.actor for row in desk.audit("policy.changed")] == ["command"] * 6


@on_one_engine
@pytest.mark.parametrize(
    ("rule", "setting"),
    [
        ("two-persons", "yes"),
        ("two-persons", "5"),
        ("second-look-above", "on"),
        ("second-look-above", "1.005"),
        ("second-look-above", "nan"),
        ("second-look-above", "99999999999999"),
    ],
)
def test_an_invalid_setting_is_refused_with_a_message(database_url: str, desk: Desk, rule: str, setting: str) -> None:
    ended = countinghouse(database_url, "policy", "set", rule, setting)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.endswith(".\n")
    assert ended.stderr.count("\n") == 1
    assert desk.get("/api/policy").json()["changes"] == []


def test_an_unknown_rule_is_refused(database_url: str) -> None:
    ended = countinghouse(database_url, "policy", "set", "three-persons", "on")
    assert ended.returncode == 2
    assert "three-persons" in ended.stderr
