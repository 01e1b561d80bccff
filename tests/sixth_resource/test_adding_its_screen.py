"""The web part of the guide: a screen for complaints, in a copy of the web app beside the server that has them."""

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.sixth_resource.building import HERE, ROOT, add_to_files, build_server, run, step_of_the_guide

MOST_SHARED_FILES = 3
SHARED = {
    "web/src/app/routes.tsx": (
        (
            "import { clientOptions } from '../entities/client/client';\n",
            "import { complaintList, complaintTasks } from '../entities/complaint/complaint';\n",
        ),
        (
            "import { claimView } from '../features/claims/table/claimView';\n",
            "import { complaintView } from '../features/complaints/complaintView';\n",
        ),
        (
            "    readFirst: firstPage(userList, userView),\n  },\n",
            "  {\n"
            "    path: '/complaints',\n"
            "    title: 'Complaints of clients',\n"
            "    menu: { label: 'Complaints', Icon: UsersIcon },\n"
            "    views: 'complaints',\n"
            "    ...screen(() => import('../features/complaints/ComplaintsScreen')),\n"
            "    readFirst: firstPage(complaintList, complaintView),\n"
            "    work: { notices: complaintTasks, linkText: 'Open Complaints' },\n"
            "  },\n",
        ),
    ),
    "web/src/ui/table/frame/tableTools.ts": (("export type TableScreen = 'claims'", " | 'complaints'"),),
    "web/src/features/exports/exportLists.ts": (
        ("  claims: 'claim',\n", "  complaints: 'complaint',\n"),
        ("  claims: 'account numbers',\n", "  complaints: 'subjects',\n"),
    ),
}
# What `make openapi` writes.
GENERATED = {"web/src/api/openapi.json", "web/src/api/schema.gen.ts"}


def build_web_app(folder: Path) -> None:
    """After the server, because its description is what the types are generated from."""
    shutil.copytree(ROOT / "web", folder / "web", ignore=shutil.ignore_patterns("node_modules", "dist"))
    (folder / "web/node_modules").symlink_to(ROOT / "web/node_modules")
    add_to_files(folder, SHARED)
    shutil.copytree(HERE / "web", folder / "web/src", dirs_exist_ok=True)
    described = run(folder, sys.executable, "-c", "from countinghouse.cli import app; app()", "openapi")
    (folder / "web/src/api/openapi.json").write_text(described)
    run(folder, "npm", "--prefix", "web", "run", "--silent", "generate")


def changed_files(folder: Path) -> set[str]:
    """The files that the copy changes; those that it adds are its own."""
    before = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "web/src").rglob("*") if path.is_file()}
    return {name for name, path in before.items() if (folder / name).read_bytes() != path.read_bytes()}


def test_a_sixth_screen_works_after_the_documented_steps(tmp_path: Path) -> None:
    build_server(tmp_path)
    build_web_app(tmp_path)
    shared = changed_files(tmp_path) - GENERATED
    assert len(shared) <= MOST_SHARED_FILES
    guide = step_of_the_guide()
    assert [path for path in shared if f"`{path}`" not in guide] == []

    # The app without its tests, which take as long again.
    (tmp_path / "web/tsconfig.app.json").write_text(
        '{ "extends": "./tsconfig.json", "include": ["src/app/main.tsx"] }\n'
    )
    npm = ("npm", "--prefix", "web", "run", "--silent")
    checks = [
        (*npm, "check:types", "--", "--project", "tsconfig.app.json"),
        # It has a tenth of a processor here, beside the other checks and workers.
        (*npm, "test", "--", "src/features/complaints", "--testTimeout=240000"),
        (*npm, "check:imports"),
        (*npm, "check:style"),
    ]
    with ThreadPoolExecutor(2) as side_by_side:
        for _ in side_by_side.map(lambda check: run(tmp_path, *check), checks):
            pass
