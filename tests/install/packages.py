"""The packages that this environment has, as wheels again: pip then resolves and installs without an index.

Reading the pages of an index takes most of the time of an installation. `make setup` has proved that it works with one.
"""

import re
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

NAMED = re.compile(r"(?P<name>[\w.-]+)\s*(?:\[(?P<extras>[^]]*)\])?")
EXTRA = re.compile(r"""extra\s*==\s*["']([\w-]+)""")
# They belong to one installation, and not to the package.
NOT_IN_A_WHEEL = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")


def pack_requirements(name: str, folder: Path) -> None:
    """All that the package may require, by itself or through others. What it does require is left to pip."""
    folder.mkdir()
    packages: dict[str, Distribution] = {}
    _collect(distribution(name), frozenset(), packages)
    for package in packages.values():
        _pack(package, folder)


def _collect(package: Distribution, extras: frozenset[str], packages: dict[str, Distribution]) -> None:
    for requirement in package.requires or ():
        only_for = EXTRA.search(requirement)
        named = NAMED.match(requirement)
        assert named is not None, requirement
        if only_for and only_for[1] not in extras:
            continue
        try:
            found = distribution(named["name"])
        except PackageNotFoundError:
            # For another system, or another Python.
            continue
        wanted = frozenset(re.findall(r"[\w-]+", named["extras"] or ""))
        if wanted or _key(found) not in packages:
            packages[_key(found)] = found
            _collect(found, wanted, packages)


def _pack(package: Distribution, folder: Path) -> None:
    tags = [tag.split("-") for tag in re.findall(r"^Tag: (\S+)", package.read_text("WHEEL") or "", re.MULTILINE)]
    tag = "-".join(".".join(dict.fromkeys(parts)) for parts in zip(*tags, strict=True))
    wheel = folder / f"{_key(package)}-{package.version}-{tag}.whl"
    files = dict(_files(package))
    (metadata,) = (name for name in files if name.endswith(".dist-info/METADATA"))
    with zipfile.ZipFile(wheel, "w") as packed:
        for name, file in files.items():
            packed.write(file, name)
        packed.writestr(metadata.replace("METADATA", "RECORD"), "".join(f'"{name}",,\n' for name in files))


def _files(package: Distribution) -> Iterator[tuple[str, Path]]:
    for path in package.files or ():
        # Scripts are outside; pip creates them again.
        if path.parts[0] != ".." and path.name not in NOT_IN_A_WHEEL and path.suffix != ".pyc":
            yield path.as_posix(), Path(str(path.locate()))


def _key(package: Distribution) -> str:
    return re.sub(r"[-_.]+", "_", package.name).lower()
