"""CONTRIBUTING.md says how to add a resource. This follows its steps for complaints, in a copy of the server."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from countinghouse.core.migrate import newest_revision

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
_IMPORT = "from countinghouse.complaints import {} as complaints\n"
# What each step adds to a shared file: the text before it, and the new text.
SHARED = {
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
MOST_SHARED_FILES = 3


def build(folder: Path) -> None:
    for part in ("src", "migrations", "tests", "scripts"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    for path, additions in SHARED.items():
        text = (folder / path).read_text()
        for before, new in additions:
            assert text.count(before) == 1, (path, before)
            text = text.replace(before, before + new)
        (folder / path).write_text(text)
    shutil.copytree(HERE / "complaints", folder / "src/countinghouse/complaints")
    migration = (HERE / "migration.py").read_text().replace("NEWEST", str(newest_revision()))
    (folder / "migrations/versions/9999_complaints.py").write_text(migration)


def run(folder: Path, *command: str) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder}"}
    # Not the options of the surrounding run, such as its worker's name.
    for name in [name for name in environment if name.startswith("PYTEST_")]:
        del environment[name]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_sixth_resource_works_after_the_documented_steps(tmp_path: Path) -> None:
    build(tmp_path)
    run(tmp_path, sys.executable, "-m", "pytest", "-q", "tests/sixth_resource/use_of_complaints.py")
    run(tmp_path, str(Path(sys.executable).with_name("lint-imports")))


def test_the_guide_names_the_shared_files_and_they_are_few() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    step = re.search(r"## Add a resource\n(.*?)\n## ", guide, re.DOTALL)
    assert step is not None
    assert len(SHARED) <= MOST_SHARED_FILES
    for path in SHARED:
        assert f"`{path}`" in step.group(1)
