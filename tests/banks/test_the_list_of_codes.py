"""The bundled list of bank codes, and how it is refreshed."""

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from countinghouse.banks import refresh as refreshing
from countinghouse.banks.directory import (
    CODES_FILE,
    BankCodes,
    DamagedCodes,
    branch_number,
    branch_text,
    directory,
    find_damaged_codes,
    pack,
    unpack,
)
from countinghouse.banks.ifsc import MERGED_INTO

NAMES = {"AAAA": "First Bank", "BBBB": "The Second Bank", "CCCX": "Small Bank ", "DDDX": "Second Bank"}
SUBLETS = {"AAAA0C00001": "CCCX", "BBBB0000009": "DDDX", "BBBB0000001": "CCCX"}
CUSTOM = {"AAAA0D0": "Village Bank", "AAAA0D0XYZ2": "Hamlet Bank", "AAAA": "CCCX"}


def package(folder: Path, version: str, codes: dict[str, list[Any]], **names: str) -> Path:
    files = {
        "package.json": json.dumps({"version": version}),
        "LICENSE": f"Licence of {version}",
        "src/IFSC.json": json.dumps(codes),
        "src/banknames.json": json.dumps(NAMES | names),
        "src/sublet.json": json.dumps(SUBLETS),
        "src/custom-sublets.json": json.dumps(CUSTOM),
    }
    path = folder / f"{version}.tgz"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


@pytest.fixture(autouse=True)
def small_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refreshing, "FEWEST_CODES", 2)


def made(folder: Path) -> BankCodes:
    return unpack((folder / "ifsc.bin").read_bytes())


def refresh(folder: Path, newest: Path, *earlier: Path, today: str = "2026-11-15") -> list[str]:
    return refreshing.refresh(newest, list(earlier), target=folder / "ifsc.bin", today=today)


def test_the_list_is_built_from_a_package(tmp_path: Path) -> None:
    refresh(tmp_path, package(tmp_path, "1.0.0", {"AAAA": [1, 20, 999_999, "C00001", "D00ABC"], "BBBB": [9, "ZZZZZZ"]}))
    known = made(tmp_path)
    assert (known.version, known.fetched_on, known.code_count, len(known.listed)) == ("1.0.0", "2026-11-15", 7, 2)
    for code in ("AAAA0000001", "AAAA0000020", "AAAA0999999", "AAAA0C00001", "BBBB0000009", "BBBB0ZZZZZZ"):
        assert known.is_listed(code)
    for code in ("AAAA0000002", "AAAA0ZZZZZZ", "BBBB0000001", "CCCX0000001", "EEEE0000001"):
        assert not known.is_listed(code)
    assert len(known.listed["BBBB"]) == 2
    assert [known.code_at("BBBB", place) for place in (0, 1)] == [
        "BBBB0000009",
        "BBBB0ZZZZZZ",
    ]
    assert (tmp_path / "LICENSE").read_text() == "Licence of 1.0.0"


def test_sublet_codes_have_an_owner_and_a_banks_own_codes_have_none(tmp_path: Path) -> None:
    refresh(tmp_path, package(tmp_path, "1.0.0", {"AAAA": [1, "C00001"], "BBBB": [1, 9]}))
    known = made(tmp_path)
    assert known.find_owner("AAAA0C00001") == "Small Bank"
    assert known.find_owner("AAAA0D0XYZ1") == "Village Bank"
    assert known.find_owner("AAAA0D0XYZ2") == "Hamlet Bank"
    for own in ("AAAA0000001", "BBBB0000001", "BBBB0000009"):
        assert known.find_owner(own) is None


def test_codes_missing_from_a_new_package_are_kept_as_withdrawn_until_they_return(tmp_path: Path) -> None:
    oldest = package(tmp_path, "0.9.0", {"AAAA": [1, 7], "FFFF": [3]})
    refresh(tmp_path, package(tmp_path, "1.0.0", {"AAAA": [1, 2, 3]}), oldest)
    for code in ("AAAA0000007", "FFFF0000003"):
        assert made(tmp_path).was_listed(code)
        assert not made(tmp_path).is_listed(code)

    refresh(tmp_path, package(tmp_path, "1.1.0", {"AAAA": [1, 4, 7]}))
    known = made(tmp_path)
    assert [known.was_listed(f"AAAA000000{digit}") for digit in "12347"] == [False, True, True, False, False]
    assert known.was_listed("FFFF0000003")


def test_a_refresh_reports_what_changed(tmp_path: Path) -> None:
    refresh(tmp_path, package(tmp_path, "1.0.0", {"AAAA": [1, 2, 3]}))
    _, counts, *changes = refresh(tmp_path, package(tmp_path, "1.1.0", {"AAAA": [1, 4, 5]}, AAAA="Best Bank"))
    assert counts == "3 codes of 1 banks, 2 withdrawn ones, 3 used by other banks"
    assert changes == [
        "2 new: AAAA0000004, AAAA0000005",
        "2 withdrawn: AAAA0000002, AAAA0000003",
        "1 bank names new or changed: AAAA Best Bank",
    ]


def test_refreshing_from_the_same_package_on_another_day_changes_nothing(tmp_path: Path) -> None:
    newest = package(tmp_path, "1.0.0", {"BBBB": ["ZZZZZZ", 5], "AAAA": [3, 1, 2]})
    refresh(tmp_path, newest)
    content = (tmp_path / "ifsc.bin").read_bytes()
    assert refresh(tmp_path, newest, today="2027-01-01") == ["1.0.0 of 2026-11-15 is the newest already."]
    assert (tmp_path / "ifsc.bin").read_bytes() == content
    (tmp_path / "ifsc.bin").unlink()
    refresh(tmp_path, newest)
    assert (tmp_path / "ifsc.bin").read_bytes() == content


@pytest.mark.parametrize("codes", [{"AAAA": [1]}, {"AAAA": [1, 2, 1_234_567]}, {"AAAA": [1, 2, "abc"]}, {"A": [1, 2]}])
def test_an_implausible_package_is_rejected_and_the_file_stays_unchanged(
    tmp_path: Path, codes: dict[str, list[Any]]
) -> None:
    refresh(tmp_path, package(tmp_path, "1.0.0", {"AAAA": [1, 2, 3]}))
    content = (tmp_path / "ifsc.bin").read_bytes()
    with pytest.raises(refreshing.UnusablePackage):
        refresh(tmp_path, package(tmp_path, "1.1.0", codes))
    assert (tmp_path / "ifsc.bin").read_bytes() == content


@pytest.mark.parametrize("place", [0, 30, 150, -1])
def test_a_corrupted_file_is_detected(place: int) -> None:
    content = bytearray(CODES_FILE.read_bytes())
    content[place] ^= 1
    with pytest.raises(DamagedCodes):
        unpack(bytes(content))


def test_a_file_in_another_format_version_is_rejected() -> None:
    with pytest.raises(DamagedCodes):
        unpack(CODES_FILE.read_bytes().replace(b'"format": 1', b'"format": 2', 1))


@pytest.mark.parametrize("content", [b"", b"\n", b"{}\n", b"[]\n", b"null", CODES_FILE.read_bytes()[:-10]])
def test_a_file_that_is_not_a_code_list_is_rejected(content: bytes) -> None:
    with pytest.raises(DamagedCodes):
        unpack(content)


def test_the_doctor_command_reports_a_damaged_file(tmp_path: Path) -> None:
    assert list(find_damaged_codes()) == []
    damaged = tmp_path / "ifsc.bin"
    assert len(list(find_damaged_codes(damaged))) == 1
    damaged.write_bytes(CODES_FILE.read_bytes()[:-1])
    assert list(find_damaged_codes(damaged)) == ["The file of bank codes is damaged. Reinstall the program."]


@pytest.mark.parametrize("branch", ["000000", "000001", "AGSBK0", "ZZZZZZ", "00000Z", "010000"])
def test_a_branch_code_round_trips_through_its_number(branch: str) -> None:
    assert branch_text(branch_number(branch)) == branch


def test_the_bundled_list_is_complete_small_and_licensed() -> None:
    content = CODES_FILE.read_bytes()
    assert len(content) < 500_000
    assert pack(unpack(content)) == content
    assert directory().code_count > 150_000
    assert "MIT License" in CODES_FILE.with_name("LICENSE").read_text()


def test_every_merged_bank_and_its_successor_have_names() -> None:
    assert all(directory().bank_name(bank) for pair in MERGED_INTO.items() for bank in pair)
