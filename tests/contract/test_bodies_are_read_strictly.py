"""A value of another kind is refused, not taken for what it resembles: `"0"` is no version and `"true"` no answer."""

from typing import Any

import pytest

from countinghouse.batches.tables import batches
from tests.contract.test_unknown_fields import CHANGES, LEFT_OPEN, models_of
from tests.desk import Desk
from tests.engines import on_one_engine


@on_one_engine
@pytest.mark.parametrize("version", ["0", False, 0.0, "00", None])
def test_a_batch_takes_only_a_whole_number_for_a_version(desk: Desk, version: Any) -> None:
    claims = [{"_id": desk.add_claim(), "version": version}]
    answer = desk.call("POST", "/api/batches", json={"status": "Accepted", "claims": claims})
    assert answer.status_code == 422
    assert [*answer.json()["fields"].values()] == ["version must be a whole number."]
    assert not desk.rows(batches.select())


@on_one_engine
@pytest.mark.parametrize("setting", ["true", 1, "on", 1.0, "yes"])
def test_the_policy_takes_only_true_or_false(desk: Desk, setting: Any) -> None:
    answer = desk.call("PUT", "/api/policy", json={"twoPersons": setting})
    assert (answer.status_code, answer.json()["fields"]) == (422, {"twoPersons": "twoPersons must be true or false."})
    assert not desk.audit("policy.changed")


def test_every_body_is_read_strictly() -> None:
    models = {model for route in CHANGES for model in models_of(route) if model.__name__ not in LEFT_OPEN}
    assert len(models) > 35
    assert [model.__name__ for model in models if not model.model_config.get("strict")] == []
