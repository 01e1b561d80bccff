"""Builds the bank codes file from the packages that scripts/refresh_bank_codes has fetched."""

import json
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from countinghouse.banks.directory import BANK_LETTERS, CODES_FILE, BankCodes, by_bank, full_codes, pack, unpack
from countinghouse.banks.ifsc import SHAPE
from countinghouse.core.times import now

# India has far more branches than this. Fewer codes mean that the package is broken.
FEWEST_CODES = 150_000

_HEAD_OFFICE = "0000001"
_SHOWN = 5


class UnusablePackage(Exception):
    pass


Held = Mapping[str, bytes]


def read_package(path: Path) -> Held:
    """The files of the archive, keyed by base name."""
    with tarfile.open(path) as archive:
        # Directories have no stream.
        streams = {member.name.rpartition("/")[2]: archive.extractfile(member) for member in archive}
        return {name: stream.read() for name, stream in streams.items() if stream is not None}


def list_codes(package: Held) -> frozenset[str]:
    branches_of: Mapping[str, list[int | str]] = json.loads(package["IFSC.json"])
    # The package stores an all-digit branch as a number.
    codes = frozenset(f"{bank}0{branch:0>6}" for bank, branches in branches_of.items() for branch in branches)
    if odd := sorted(code for code in codes if not SHAPE.fullmatch(code)):
        raise UnusablePackage(f"The package contains invalid codes: {', '.join(odd[:_SHOWN])}.")
    return codes


def convert(package: Held, once_listed: Iterable[str], fetched_on: str) -> BankCodes:
    """Deterministic: the same package and the same earlier codes give the same bytes."""
    codes = list_codes(package)
    if len(codes) < FEWEST_CODES:
        raise UnusablePackage(f"The package has {len(codes):,} codes; a complete list has at least {FEWEST_CODES:,}.")
    names = {bank: name.strip() for bank, name in json.loads(package["banknames.json"]).items()}
    sublets = json.loads(package["sublet.json"]) | json.loads(package["custom-sublets.json"])
    return BankCodes(
        version=json.loads(package["package.json"])["version"],
        fetched_on=fetched_on,
        names=names,
        owners=_find_owners(names, sublets),
        listed=by_bank(codes),
        withdrawn=by_bank(frozenset(once_listed) - codes),
    )


def _find_owners(names: Mapping[str, str], sublets: Mapping[str, str]) -> dict[str, str]:
    # Some owners are given by their bank letters, others by their name.
    owners = {begin: names.get(owner, owner).strip() for begin, owner in sublets.items()}

    def is_own(begin: str, owner: str) -> bool:
        own, other = (name.casefold().removeprefix("the ") for name in (names.get(begin[:BANK_LETTERS], ""), owner))
        return own == other

    return {
        begin: owner
        for begin, owner in owners.items()
        # The list has a code for every clearing bank, including a bank's own codes under another spelling of its name.
        if len(begin) > BANK_LETTERS and begin[BANK_LETTERS:] != _HEAD_OFFICE and not is_own(begin, owner)
    }


def _summary_line(what: str, found: set[str]) -> str:
    some = sorted(found)[:_SHOWN]
    more = ", ..." if len(found) > len(some) else ""
    return f"{len(found):,} {what}{': ' if some else ''}{', '.join(some)}{more}"


def refresh(newest: Path, earlier: list[Path], *, target: Path, today: str) -> list[str]:
    """Writes the file and its licence, and returns what changed. Codes that any version listed stay known."""
    package = read_package(newest)
    before = unpack(target.read_bytes()) if target.exists() else BankCodes("none", "", {}, {}, {}, {})
    once_listed = full_codes(before.listed) | full_codes(before.withdrawn)
    for path in earlier:
        once_listed |= list_codes(read_package(path))
    after = convert(package, once_listed, today)
    # A new fetch date alone is not a change.
    if pack(replace(after, fetched_on=before.fetched_on)) == pack(before):
        return [f"{before.version} of {before.fetched_on} is the newest already."]
    listed_before, listed = full_codes(before.listed), full_codes(after.listed)
    named = {f"{bank} {name}" for bank, name in after.names.items() - before.names.items()}
    content = pack(after)
    target.write_bytes(content)
    target.with_name("LICENSE").write_bytes(package["LICENSE"])
    return [
        f"{before.version} -> {after.version}, {len(content):,} bytes",
        f"{after.code_count:,} codes of {len(after.listed):,} banks, "
        f"{sum(map(len, after.withdrawn.values())):,} withdrawn ones, {len(after.owners):,} used by other banks",
        _summary_line("new", listed - listed_before),
        _summary_line("withdrawn", listed_before - listed),
        _summary_line("bank names new or changed", named),
    ]


def main(newest: Path, earlier: Annotated[list[Path] | None, typer.Argument()] = None) -> None:
    try:
        lines = refresh(newest, earlier or [], target=CODES_FILE, today=now().date().isoformat())
    except UnusablePackage as refusal:
        typer.echo(f"Nothing is changed. {refusal}", err=True)
        raise typer.Exit(1) from refusal
    for line in lines:
        typer.echo(line)


if __name__ == "__main__":
    typer.run(main)
