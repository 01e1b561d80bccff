"""scripts/find_python, which `make setup` and the benchmark ask for the Python to use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.repository import ROOT


def found(python: Path | str) -> str:
    environment = os.environ | {"PYTHON": str(python)}
    asked = subprocess.run([ROOT / "scripts/find_python"], env=environment, capture_output=True, text=True, check=True)
    return asked.stdout.strip()


def test_the_python_that_is_named_is_used() -> None:
    assert found(sys.executable) == sys.executable


@pytest.mark.parametrize("code", ["exit 1", "exit 127"], ids=["too old, or without venv", "not installed"])
def test_one_that_cannot_be_used_is_passed_over(tmp_path: Path, code: str) -> None:
    unusable = tmp_path / "python3"
    unusable.write_text(f"#!/bin/sh\n{code}\n")
    unusable.chmod(0o755)
    python = found(unusable)
    assert python != str(unusable)
    subprocess.run([python, "-c", "import ensurepip, sys; assert sys.version_info >= (3, 11)"], check=True)
