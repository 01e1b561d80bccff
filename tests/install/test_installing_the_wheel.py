"""The wheel in an empty environment outside the repository: installed, served, set up, logged in, a claim paid."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

from countinghouse import __version__
from tests.house.repository import ROOT
from tests.servers import free_port

FIRST_CLAIM = Path(__file__).with_name("first_claim.py")


def run(*words: str | Path, cwd: Path, **settings: str) -> str:
    # Nothing of this checkout may be found by accident.
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("COUNTINGHOUSE_", "PYTHON"))}
    ended = subprocess.run(words, cwd=cwd, env=clean | settings, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    return ended.stdout


def test_a_wheel_in_an_empty_environment_serves_a_desk_that_pays_a_claim(tmp_path: Path) -> None:
    wheel = Path(run(ROOT / "scripts/build_wheel", sys.executable, tmp_path / "dist", cwd=tmp_path).strip())
    assert wheel.name == f"countinghouse-{__version__}-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    assert "countinghouse/web/index.html" in names
    newest = max(path.name for path in (ROOT / "migrations/versions").glob("0*.py"))
    assert f"countinghouse/migrations/versions/{newest}" in names
    assert not [name for name in names if "test" in name or "__pycache__" in name]

    # Without its own pip, which takes seconds to unpack; ours installs into it.
    environment, folder = tmp_path / "environment", tmp_path / "desk"
    venv.create(environment, with_pip=False)
    folder.mkdir()
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", environment / "bin/python")
    run(*pip, "install", "--quiet", "--no-compile", wheel, cwd=folder, PIP_CONSTRAINT=str(ROOT / "constraints.txt"))
    assert run(environment / "bin/countinghouse", "--version", cwd=folder) == f"countinghouse {__version__}\n"

    told = json.loads(run(environment / "bin/python", "-I", FIRST_CLAIM, str(free_port()), cwd=folder))
    assert told == {"status": "Paid", "bank": "HDFC Bank", "version": __version__, "ended": told["ended"]}
    assert told["ended"] in (0, -15)
    assert (folder / "data/countinghouse.db").stat().st_mode & 0o777 == 0o600
