import re
from pathlib import Path
from urllib.parse import unquote

import typer

from countinghouse.settings import Settings
from tests.house.repository import ROOT, code_in, documents, files, text_of

SETTING = re.compile(r"\bCOUNTINGHOUSE_[A-Z][A-Z0-9_]*")
LINK = re.compile(r"\]\(\s*<?([^)>\s]+)|^\[[^\]]+\]:\s+(\S+)|\b(?:src|href)=\"([^\"]+)\"", re.MULTILINE)
SCHEME = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def settings() -> set[str]:
    prefix = Settings.model_config["env_prefix"]
    return {f"{prefix}{field}".upper() for field in Settings.model_fields}


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", text_of("Makefile"), re.MULTILINE))


def test_readme_explains_how_to_run_and_test() -> None:
    code = list(code_in("README.md"))
    for command in ("make run", "make test"):
        assert any(re.search(rf"\b{command}\b(?!-)", line) for line in code), f"README.md does not name {command}"


def test_every_make_command_in_the_documents_exists() -> None:
    named = {
        (document, target)
        for document in documents()
        for line in code_in(document)
        for target in re.findall(r"(?:^|[\s;&(])make (?:[A-Z]+=\S+ )*([a-z][a-z-]*)", line)
    }
    assert {(document, target) for document, target in named if target not in make_targets()} == set()


def test_every_relative_link_points_to_a_file() -> None:
    broken = []
    for document in documents():
        for match in LINK.finditer(text_of(document)):
            target = next(group for group in match.groups() if group)
            path = unquote(target.split("#")[0])
            if path and not SCHEME.match(target) and not (ROOT / document).parent.joinpath(path).exists():
                broken.append(f"{document}: {target}")
    assert broken == []


def test_every_setting_in_the_documents_exists() -> None:
    places = [*documents(), "Makefile", *(name for name in files() if name.startswith("scripts/"))]
    named = {(place, name) for place in places for name in SETTING.findall(text_of(place))}
    assert {(place, name) for place, name in named if name not in settings()} == set()


def test_every_setting_is_documented_for_operators() -> None:
    assert settings() - set(SETTING.findall(text_of("docs/operating.md"))) == set()


def test_every_command_in_the_documents_exists() -> None:
    from countinghouse.cli import app

    unknown = []
    for document in documents():
        for line in code_in(document):
            for words in re.findall(r"(?:^|[\s/])countinghouse((?: [a-z][a-z-]*)+)", line):
                if not _is_command(typer.main.get_command(app), words.split()):
                    unknown.append(f"{document}: countinghouse{words}")
    assert unknown == []


def _is_command(command: object, words: list[str]) -> bool:
    commands: dict[str, object] = getattr(command, "commands", {})
    # The name of a command group alone, as in a sentence about it, is valid too.
    return not commands or not words or (words[0] in commands and _is_command(commands[words[0]], words[1:]))


def test_every_decision_is_short_and_complete() -> None:
    headings = {"Context", "Decision", "Consequences", "Alternatives", "Enforced by"}
    decisions = [name for name in documents() if re.search(r"^docs/decisions/\d{4}-[a-z0-9-]+\.md$", name)]
    assert decisions, "docs/decisions/ holds no decision"
    too_long = [name for name in decisions if len(text_of(name).splitlines()) > 40]
    missing = {name: headings - set(re.findall(r"^#+ (.+?)\s*$", text_of(name), re.MULTILINE)) for name in decisions}
    assert too_long == []
    assert {name: lacks for name, lacks in missing.items() if lacks} == {}


def test_the_files_that_enforce_a_decision_exist() -> None:
    absent = []
    for name in documents():
        if Path(name).parent.name != "decisions":
            continue
        enforced_by = re.split(r"^#+ Enforced by\s*$", text_of(name), flags=re.MULTILINE)[1:]
        for path in re.findall(r"`([\w.-]+/[\w./*-]+)`", "".join(enforced_by)):
            if not list(ROOT.glob(path)):
                absent.append(f"{name}: {path}")
    assert absent == []
