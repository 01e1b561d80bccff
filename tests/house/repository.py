"""The repository as these checks see it: the files a commit would contain, and the documents among them."""

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = {".py", ".ts", ".tsx", ".css", ".js", ".mjs", ".cjs", ".html"}
LOCK_FILES = {"web/package-lock.json", "constraints.txt"}


@cache
def files() -> tuple[str, ...]:
    """Every file that is, or is about to be, under version control."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return tuple(sorted({name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()}))


def is_generated(name: str) -> bool:
    return ".gen." in name or name in LOCK_FILES


def code_files() -> list[str]:
    """Hand-written code, including the shell scripts without a suffix."""
    return [name for name in files() if _is_code(name) and not is_generated(name)]


def _is_code(name: str) -> bool:
    return Path(name).suffix in CODE or name.startswith(("scripts/", ".ci/")) or name == "Makefile"


def text_of(name: str) -> str:
    """A file's text; empty for an image or a font."""
    content = (ROOT / name).read_bytes()
    return "" if b"\0" in content else content.decode(errors="replace")


def documents() -> list[str]:
    top = {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"}
    return [name for name in files() if name in top or (name.startswith("docs/") and name.endswith(".md"))]


def code_in(document: str) -> Iterator[str]:
    """The lines of code in a document: whole lines of its fenced blocks, and its `spans`."""
    inside_block = False
    for line in text_of(document).splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            inside_block = not inside_block
        elif inside_block:
            yield line.strip()
        else:
            yield from re.findall(r"`([^`]+)`", line)


def lines_matching(pattern: re.Pattern[str], names: list[str] | tuple[str, ...]) -> list[str]:
    """`file:line: text` of each match, for the message of a failed assertion."""
    return [
        f"{name}:{number}: {line.strip()[:120]}"
        for name in names
        for number, line in enumerate(text_of(name).splitlines(), start=1)
        if pattern.search(line)
    ]
