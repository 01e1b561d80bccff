"""`countinghouse audit export` either writes the whole file, or leaves none and says why."""

from pathlib import Path

from tests.audit.sealed import audit


def test_a_folder_that_is_missing_is_named_in_one_line(database_url: str, tmp_path: Path) -> None:
    file = tmp_path / "missing" / "export.jsonl"
    ended = audit(database_url, tmp_path, "export", str(file))
    assert (ended.returncode, ended.stderr) == (1, f"No such file or directory: {file}\n")


def test_a_file_that_exists_is_not_replaced(database_url: str, tmp_path: Path) -> None:
    file = tmp_path / "export.jsonl"
    file.write_text("kept")
    ended = audit(database_url, tmp_path, "export", str(file))
    assert (ended.returncode, ended.stderr) == (1, f"{file} exists already.\n")
    assert file.read_text() == "kept"


def test_a_database_without_a_log_leaves_no_file(blank_url: str, tmp_path: Path) -> None:
    file = tmp_path / "export.jsonl"
    ended = audit(blank_url, tmp_path, "export", str(file))
    assert ended.returncode == 1
    assert "countinghouse migrate" in ended.stderr or "There is no database at" in ended.stderr
    assert not file.exists()


def test_a_key_that_cannot_be_read_leaves_no_file(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "audit-key.pem").write_text("not a key")
    file = tmp_path / "export.jsonl"
    ended = audit(database_url, tmp_path, "export", str(file))
    assert ended.returncode == 1
    assert ended.stderr.startswith("The key of the audit log in ")
    assert ended.stderr.count("\n") == 1
    assert not file.exists()
