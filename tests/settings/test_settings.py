"""What an operator can configure, and what is refused with the name of the variable."""

import os
from pathlib import Path

import pytest
import typer
from pydantic import ValidationError

from countinghouse.cli.terminal import load_settings
from countinghouse.settings import Settings
from tests.cli.command import countinghouse


@pytest.fixture(autouse=True)
def _clean_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("COUNTINGHOUSE_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def _set(monkeypatch: pytest.MonkeyPatch, **settings: str) -> Settings:
    for name, value in settings.items():
        monkeypatch.setenv(f"COUNTINGHOUSE_{name}", value)
    return Settings()


def test_the_defaults_need_no_configuration() -> None:
    settings = Settings()
    assert settings.database == "sqlite:///data/countinghouse.db"
    assert settings.public_url == ""
    assert settings.allowed_origins == settings.tokenless_networks == settings.trusted_proxies == ()
    assert (settings.session_idle_minutes, settings.session_hours) == (60, 12)


def test_an_empty_variable_means_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _set(monkeypatch, DATABASE_URL="", SESSION_HOURS="", TRUSTED_PROXIES="") == Settings(_env_file=None)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_postgresql_urls_are_accepted_in_their_usual_forms(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    settings = _set(monkeypatch, DATABASE_URL=f"{scheme}://desk:p%40ss@db.example.in:5433/desk?sslmode=require")
    assert settings.database == "postgresql+psycopg://desk:p%40ss@db.example.in:5433/desk?sslmode=require"


def test_lists_are_comma_separated(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = _set(
        monkeypatch,
        ALLOWED_ORIGINS=" https://app.example.in , http://localhost:3000,,",
        TOKENLESS_NETWORKS="10.1.2.0/24,fd00:1::/64, 192.0.2.7",
        TRUSTED_PROXIES="127.0.0.1",
    )
    assert settings.allowed_origins == ("https://app.example.in", "http://localhost:3000")
    assert [str(network) for network in settings.tokenless_networks] == ["10.1.2.0/24", "fd00:1::/64", "192.0.2.7/32"]
    assert [str(network) for network in settings.trusted_proxies] == ["127.0.0.1/32"]


def test_the_env_file_is_read_and_the_environment_overrides_it(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("COUNTINGHOUSE_SESSION_HOURS=3\nCOUNTINGHOUSE_DATA_DIR=there\nOTHER_PROGRAM=1\n")
    settings = _set(monkeypatch, SESSION_HOURS="4")
    assert settings.session_hours == 4
    assert settings.database == "sqlite:///there/countinghouse.db"


def test_an_env_file_that_is_not_utf_8_is_reported_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    Path(".env").write_bytes("COUNTINGHOUSE_DATA_DIR=caf\xe9\n".encode("latin-1"))
    with pytest.raises(typer.Exit) as ended:
        load_settings()
    assert ended.value.exit_code == 1
    assert capsys.readouterr().err == f"{Path.cwd()}/.env is not written in UTF-8: save it in UTF-8.\n"


def test_an_env_file_that_cannot_be_read_is_reported_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(".env").touch()

    def refuse(path: str, *_arguments: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied", path)

    # Root, as whom tests may run, can read any file.
    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(typer.Exit) as ended:
        load_settings()
    assert ended.value.exit_code == 1
    assert capsys.readouterr().err == f"{Path.cwd()}/.env cannot be read: Permission denied.\n"


@pytest.mark.parametrize("url", ["https://desk.example.in", "https://Desk.Example.in/", "HTTPS://desk.example.in"])
def test_a_public_url_is_normalized_as_browsers_do(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    assert _set(monkeypatch, PUBLIC_URL=url).public_url == "https://desk.example.in"


@pytest.mark.parametrize("host", ["localhost:8000", "desk.localhost", "127.0.0.1:8000", "192.168.1.5", "[::1]:8000"])
def test_plain_http_is_allowed_on_private_addresses(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    assert _set(monkeypatch, PUBLIC_URL=f"http://{host}").public_url == f"http://{host}"


REFUSED = [
    ({"DATABASE_URL": "mysql://desk"}, "must begin with sqlite:/// or postgresql://"),
    ({"DATABASE_URL": "sqlite://"}, "must begin with sqlite:/// or postgresql://"),
    ({"DATABASE_URL": "sqlite:///"}, "must name a file"),
    ({"DATABASE_URL": "sqlite:///:memory:"}, "must name a file"),
    ({"DATABASE_URL": "postgresql://desk:geheim@host:port/desk"}, "cannot be read"),
    ({"PUBLIC_URL": "desk.example.in"}, "must be an http(s) address"),
    ({"PUBLIC_URL": "ftp://desk.example.in"}, "must be an http(s) address"),
    ({"PUBLIC_URL": "https://"}, "must be an http(s) address"),
    ({"PUBLIC_URL": "https://desk.example.in/desk"}, "without a path"),
    ({"PUBLIC_URL": "https://desk.example.in?a=1"}, "without a path"),
    ({"PUBLIC_URL": "https://user:geheim@desk.example.in"}, "must be an http(s) address"),
    ({"PUBLIC_URL": "https://desk.example.in; script-src *"}, "must be an http(s) address"),
    ({"PUBLIC_URL": "http://desk.example.in"}, "passwords in the clear"),
    ({"PUBLIC_URL": "http://8.8.8.8"}, "passwords in the clear"),
    ({"ALLOWED_ORIGINS": "*"}, "is not an origin"),
    ({"ALLOWED_ORIGINS": "https://*.example.in"}, "is not an origin"),
    ({"ALLOWED_ORIGINS": "https://app.example.in/page"}, "is not an origin"),
    ({"ALLOWED_ORIGINS": "http://app.example.in"}, "passwords in the clear"),
    ({"TOKENLESS_NETWORKS": "0.0.0.0/0"}, "too wide"),
    ({"TOKENLESS_NETWORKS": "10.1.0.0/16,8.0.0.0/7"}, "too wide"),
    ({"TOKENLESS_NETWORKS": "::/0"}, "too wide"),
    ({"TOKENLESS_NETWORKS": "10.0.0.1/8"}, "host bits set"),
    ({"TOKENLESS_NETWORKS": "office"}, "does not appear to be"),
    ({"LOGIN_NETWORKS": "office"}, "does not appear to be"),
    ({"LOGIN_NETWORKS": "10.0.0.0/8;192.0.2.0/24"}, "does not appear to be"),
    ({"LOGIN_NETWORKS": "0.0.0.0/0"}, "too wide"),
    ({"LOGIN_NETWORKS": ","}, "names no network"),
    ({"TRUSTED_PROXIES": "0.0.0.0/0"}, "too wide"),
    ({"TRUSTED_PROXIES": "::/0"}, "too wide"),
    ({"TOKENLESS_NETWORKS": "10.1.0.0/16", "TRUSTED_PROXIES": "10.1.2.3"}, "every visitor behind that proxy"),
    ({"TOKENLESS_NETWORKS": "10.1.2.3", "TRUSTED_PROXIES": "10.0.0.0/8"}, "every visitor behind that proxy"),
    ({"SESSION_HOURS": "0"}, "greater than or equal to 1"),
    ({"SESSION_HOURS": "for ever"}, "valid integer"),
    ({"SESSION_IDLE_MINUTES": "999999"}, "less than or equal to"),
    ({"LOG_FORMAT": "xml"}, "'console' or 'json'"),
]


@pytest.mark.parametrize(("settings", "reason"), REFUSED, ids=lambda value: str(value))
def test_unsafe_or_invalid_settings_are_refused(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], reason: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        _set(monkeypatch, **settings)
    (problem,) = refused.value.errors()
    assert reason in problem["msg"]
    named = "_".join(str(part) for part in problem["loc"]).upper() or problem["msg"]
    assert all(name in named for name in settings)


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (
            {"TOKENLESS_NETWORKS": "10.1.0.0/16", "TRUSTED_PROXIES": "10.1.2.3"},
            "COUNTINGHOUSE_TOKENLESS_NETWORKS holds 10.1.0.0/16, and COUNTINGHOUSE_TRUSTED_PROXIES 10.1.2.3/32: "
            "every visitor behind that proxy would need no token",
        ),
        (
            {"DATABASE_URL": "postgresql://desk:geheim@host:port/desk"},
            "COUNTINGHOUSE_DATABASE_URL cannot be read; it looks like postgresql://USER:PASSWORD@HOST:5432/NAME",
        ),
    ],
)
def test_serve_reports_an_invalid_setting_in_one_line_and_exits(
    tmp_path: Path, settings: dict[str, str], line: str
) -> None:
    given = {f"COUNTINGHOUSE_{name}": value for name, value in settings.items()}
    ended = countinghouse(f"sqlite:///{tmp_path}/desk.db", "serve", COLUMNS="60", **given)
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", f"{line}\n")
    assert not list(tmp_path.glob("*.db"))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("COUNTINGHOUSE_LOGIN_NETWORK", "COUNTINGHOUSE_LOGIN_NETWORKS"),
        ("COUNTINGHOUSE_TRUSTED_PROXY", "COUNTINGHOUSE_TRUSTED_PROXIES"),
        ("COUNTINGHOUSE_DATABSE_URL", "COUNTINGHOUSE_DATABASE_URL"),
    ],
)
@pytest.mark.parametrize("is_in_file", [False, True])
def test_a_misspelt_variable_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], written: str, meant: str, is_in_file: bool
) -> None:
    if is_in_file:
        Path(".env").write_text(f"{written}=10.0.0.0/8\n")
    else:
        monkeypatch.setenv(written, "10.0.0.0/8")
    with pytest.raises(typer.Exit):
        load_settings()
    sentence = f"{written} is no setting. If {meant} is meant, rename it; otherwise remove it."
    assert capsys.readouterr().err.strip() == sentence


def test_variables_of_other_programs_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("LOGIN_NETWORK=10.0.0.0/8\nPOSTGRES_PASSWORD=x\n")
    for name in ("SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", "PORT", "PORT_8000_TCP_ADDR", "VERSION"):
        monkeypatch.setenv(f"COUNTINGHOUSE_{name}", "1")
    assert load_settings() == Settings(_env_file=None)
