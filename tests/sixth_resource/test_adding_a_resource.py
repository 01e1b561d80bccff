"""CONTRIBUTING.md says how to add a resource. This follows its steps for complaints, in a copy of the server."""

import sys
from pathlib import Path

from tests.sixth_resource.building import SERVER_SHARED, build_server, run, step_of_the_guide

MOST_SHARED_FILES = 3


def test_a_sixth_resource_works_after_the_documented_steps(tmp_path: Path) -> None:
    build_server(tmp_path)
    run(tmp_path, sys.executable, "-m", "pytest", "-q", "tests/sixth_resource/use_of_complaints.py")
    run(tmp_path, str(Path(sys.executable).with_name("lint-imports")))


def test_the_guide_names_the_shared_files_and_they_are_few() -> None:
    guide = step_of_the_guide()
    assert len(SERVER_SHARED) <= MOST_SHARED_FILES
    for path in SERVER_SHARED:
        assert f"`{path}`" in guide
