"""Copies of this repository in which the documented steps are followed."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from countinghouse.core.migrate import newest_revision

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

# What each step adds to a shared file: the text before it, and the new text.
Additions = Mapping[str, tuple[tuple[str, str], ...]]

SERVER_SHARED: Additions = {
    "src/countinghouse/resources.py": (
        ("RESOURCES = (\n", "    complaints.RESOURCE,\n"),
        (
            "from countinghouse.clients import resource as clients\n",
            "from countinghouse.complaints import resource as complaints\n",
        ),
    ),
    "src/countinghouse/main.py": (
        ("ROUTERS = (\n", "    complaints.router,\n"),
        (
            "from countinghouse.clients import routes as clients\n",
            "from countinghouse.complaints import routes as complaints\n",
        ),
    ),
    "pyproject.toml": (('  "resources",\n', '  "complaints",\n'),),
}


def build_server(folder: Path) -> None:
    for part in ("src", "migrations", "tests", "scripts"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    add_to_files(folder, SERVER_SHARED)
    shutil.copytree(HERE / "complaints", folder / "src/countinghouse/complaints")
    migration = (HERE / "migration.py").read_text().replace("NEWEST", str(newest_revision()))
    (folder / "migrations/versions/9999_complaints.py").write_text(migration)


def add_to_files(folder: Path, files: Additions) -> None:
    for path, additions in files.items():
        text = (folder / path).read_text()
        for before, new in additions:
            assert text.count(before) == 1, (path, before)
            text = text.replace(before, before + new)
        (folder / path).write_text(text)


def run(folder: Path, *command: str) -> str:
    environment = {**os.environ, "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder}"}
    # Not the options of the surrounding run, such as its worker's name.
    for name in [name for name in environment if name.startswith("PYTEST_")]:
        del environment[name]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def step_of_the_guide() -> str:
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    step = re.search(r"## Add a resource\n(.*?)\n## ", guide, re.DOTALL)
    assert step is not None
    return step.group(1)
