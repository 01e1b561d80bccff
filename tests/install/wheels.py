"""The wheel, and a later one that has a migration more."""

import base64
import csv
import hashlib
import io
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.house.repository import ROOT

NEXT_MIGRATION = '''"""Something that the next release needs."""

revision: str = "9999"
down_revision: str | None = "{newest}"


def upgrade() -> None: ...
'''


def build_wheel(folder: Path) -> Path:
    command = [f"{ROOT}/scripts/build_wheel", sys.executable, str(folder)]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return Path(ended.stdout.strip())


def newest_migration() -> str:
    return max(path.name for path in (ROOT / "migrations/versions").glob("0*.py"))


def make_later_wheel(wheel: Path, version: str, later: str) -> Path:
    """The same files under a later version. Building them again would take several seconds."""
    files: dict[str, bytes] = {}
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            content = packed.read(name)
            if name in ("countinghouse/__init__.py", f"countinghouse-{version}.dist-info/METADATA"):
                assert content.count(version.encode()) == 1, name
                content = content.replace(version.encode(), later.encode())
            files[name.replace(f"countinghouse-{version}.dist-info/", f"countinghouse-{later}.dist-info/")] = content
    newest = newest_migration().split("_")[0]
    files["countinghouse/migrations/versions/9999_next.py"] = NEXT_MIGRATION.format(newest=newest).encode()
    record = f"countinghouse-{later}.dist-info/RECORD"
    del files[record]
    made = wheel.with_name(wheel.name.replace(version, later))
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
        packed.writestr(record, _record(files, record))
    return made


def _record(files: dict[str, bytes], itself: str) -> str:
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        writer.writerow((name, f"sha256={digest}", len(content)))
    writer.writerow((itself, "", ""))
    return lines.getvalue()
