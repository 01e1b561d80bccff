"""Serving the web app's files, and its page for the paths of its screens."""

import gzip
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response

from countinghouse.core.http.answers import install_error_answers
from countinghouse.core.http.callers import Callers
from countinghouse.core.http.edge import API_POLICY, Edge, page_policy, security_headers
from countinghouse.core.http.webapp import webapp_router
from countinghouse.resources import SCREENS
from tests.core.refusals import assert_refused
from tests.desk import Desk

PAGE = "<!doctype html><title>Countinghouse</title><script src='/assets/index-abc123.js'></script>"
SCRIPT = "console.log('desk');" * 50
COMPRESSED = b"what the build has packed"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    folder = tmp_path_factory.mktemp("build")
    (folder / "secret.txt").write_text("outside")
    built = folder / "dist"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text(PAGE)
    (built / "favicon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (built / ".env").write_text("hidden")
    (built / "assets" / "index-abc123.js").write_text(SCRIPT)
    (built / "assets" / "packed-abc123.js").write_text(SCRIPT)
    (built / "assets" / "packed-abc123.js.br").write_bytes(COMPRESSED)
    (built / "assets" / "inter-abc123.woff2").write_bytes(b"font")
    return _client(built)


def _client(folder: Path) -> TestClient:
    app = FastAPI()
    install_error_answers(app)
    app.include_router(webapp_router(folder, page_policy(), SCREENS))
    app.add_middleware(Edge, callers=Callers(), cookie="ours", headers=security_headers(False))
    return TestClient(app)


def _plain(client: TestClient, path: str) -> Response:
    return client.get(path, headers={"Accept-Encoding": "identity"})


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/Data",
        "/data/",
        "/WITHDRAW",
        "/Qr",
        "/QR",
        "/qr",
        "/reg",
        "/Settings",
        "/client/u1",
        "/Client/64f0c1",
        "/Withdraw/C-10482",
        "/reg/6917e2f4a1b2c3d4e5000001",
        "/Receipt/C-10482",
        "/Statement/6917e2f4a1b2c3d4e5000001",
        "/index.html",
    ],
)
def test_a_web_app_path_serves_the_page_with_no_cache(client: TestClient, path: str) -> None:
    answer = _plain(client, path)
    assert answer.status_code == 200
    _assert_is_page(answer)


def _assert_is_page(answer: Response) -> None:
    assert answer.text == PAGE
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    assert "script-src" in answer.headers["content-security-policy"]


UNKNOWN = [
    "/metrics", "/version", "/foo", "/deep/er/route", "/apiary", "/.env", "/assets", "/client", "/client/",
    "/client/u1/x", "/Data/more", "/Withdraw2", "/login", "/favicon.ico", "/qr-images",
]  # fmt: skip


@pytest.mark.parametrize("path", UNKNOWN)
def test_any_other_path_is_not_found(client: TestClient, path: str) -> None:
    for accepted in ("*/*", "application/json", ""):
        answer = client.get(path, headers={"Accept": accepted})
        assert_refused(answer, 404, "not_found")
        assert "Accept" in answer.headers["vary"]


@pytest.mark.parametrize("path", UNKNOWN)
def test_a_browser_that_opens_an_unknown_path_gets_the_page_with_status_404(client: TestClient, path: str) -> None:
    """The Accept header is what browsers send for a typed or clicked address. The page then leads to the login.

    The status is still 404, for clients that check it.
    """
    answer = client.get(path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert answer.status_code == 404
    assert "Accept" in answer.headers["vary"]
    _assert_is_page(answer)


def test_the_served_paths_match_the_list_of_the_web_app() -> None:
    folder = Path(__file__).parent.parent.parent / "web" / "src"
    routes = (folder / "app" / "routes.tsx").read_text()
    named = dict(
        re.findall(r"^export const (\w+) = '(.*?)';$", (folder / "ui/page/paths.ts").read_text(), re.MULTILINE)
    )
    # A literal, the name of a path, or a template that begins with one.
    written = re.findall(r"^    path: (?:'(.*?)'|(\w+)|`\$\{(\w+)\}(.*?)`),$", routes, re.MULTILINE)
    listed = [literal or named[name or first] + rest for literal, name, first, rest in written]
    login = re.search(r"export const loginPath = '(.*?)';", routes)
    assert len(listed) == routes.count("\n    path: ")
    assert login
    assert sorted(screen.lower() for screen in SCREENS) == sorted(path.lower() for path in listed)
    assert login[1] == "/"


def test_a_hashed_file_is_cacheable_forever(client: TestClient) -> None:
    answer = _plain(client, "/assets/index-abc123.js")
    assert answer.text == SCRIPT
    assert "javascript" in answer.headers["content-type"]
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_a_file_without_a_hash_is_revalidated(client: TestClient) -> None:
    answer = _plain(client, "/favicon.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["cache-control"] == "no-cache"


def test_text_is_gzipped_for_clients_that_accept_it(client: TestClient) -> None:
    with client.stream("GET", "/assets/index-abc123.js", headers={"Accept-Encoding": "br, gzip"}) as answer:
        sent = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in answer.headers["vary"]
    assert len(sent) < len(SCRIPT)
    assert gzip.decompress(sent).decode() == SCRIPT
    assert "content-encoding" not in _plain(client, "/assets/index-abc123.js").headers


@pytest.mark.parametrize("accepted", ["br", "gzip, deflate, br, zstd", "gzip;q=1.0, br;q=0.5", "GZIP,BR"])
def test_a_file_compressed_by_the_build_is_sent_as_it_is(client: TestClient, accepted: str) -> None:
    with client.stream("GET", "/assets/packed-abc123.js", headers={"Accept-Encoding": accepted}) as answer:
        sent = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "br"
    assert "javascript" in answer.headers["content-type"]
    assert "Accept-Encoding" in answer.headers["vary"]
    assert sent == COMPRESSED


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [("gzip", "gzip"), ("gzip, br;q=0", "gzip"), ("brotli, gzip", "gzip"), ("br;q=0.0, gzip;q=0", None), ("", None)],
)
def test_a_brotli_file_is_not_sent_to_clients_that_do_not_accept_it(
    client: TestClient, accepted: str, coding: str | None
) -> None:
    answer = client.get("/assets/packed-abc123.js", headers={"Accept-Encoding": accepted})
    assert answer.headers.get("content-encoding") == coding
    assert answer.text == SCRIPT


def test_a_compressed_file_has_no_url_of_its_own(client: TestClient) -> None:
    assert_refused(_plain(client, "/assets/packed-abc123.js.br"), 404, "not_found")


def test_only_the_page_has_the_content_security_policy_of_the_page(client: TestClient) -> None:
    assert "script-src" in _plain(client, "/").headers["content-security-policy"]
    for path in ("/assets/index-abc123.js", "/favicon.svg"):
        answer = _plain(client, path)
        assert answer.headers["content-security-policy"] == API_POLICY, path
        assert answer.headers["x-content-type-options"] == "nosniff", path


def test_a_font_is_not_compressed_again(client: TestClient) -> None:
    answer = client.get("/assets/inter-abc123.woff2", headers={"Accept-Encoding": "gzip"})
    assert answer.content == b"font"
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/nothing", "/assets/gone-abc123.js", "/api/../api/x"])
def test_a_missing_api_path_or_asset_is_a_json_404(client: TestClient, path: str) -> None:
    assert_refused(_plain(client, path), 404, "not_found")


@pytest.mark.parametrize("up", ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "....//", "assets/../../", "%00/../"])
def test_no_path_escapes_the_folder(client: TestClient, up: str) -> None:
    for depth in (1, 3, 8):
        for target in ("secret.txt", "etc/passwd", "dist/.env"):
            answer = _plain(client, "/" + quote(up * depth, safe="%/.\\") + target)
            assert answer.text == PAGE or answer.status_code == 404, up


def test_without_a_build_the_page_explains_what_to_do(tmp_path: Path) -> None:
    answer = _client(tmp_path / "nothing").get("/")
    assert answer.status_code == 200
    assert "make setup" in answer.text


def test_head_gives_the_headers_of_get_and_no_body(client: TestClient) -> None:
    for path in ("/", "/assets/index-abc123.js", "/api/nothing", "/nothing"):
        got, head = client.get(path), client.head(path)
        assert head.status_code == got.status_code
        assert head.content == b""
        for name in ("content-type", "content-length", "cache-control", "content-security-policy"):
            assert head.headers.get(name) == got.headers.get(name), (path, name)


def test_head_requires_the_same_login_as_get(desk: Desk) -> None:
    for path, by, status in (
        ("/readyz", None, 200),
        ("/healthz", None, 200),
        ("/api/users", "asha", 200),
        ("/api/users", None, 401),
        ("/qr-images/none.png", None, 404),
    ):
        answer = desk.call("HEAD", path, by=by)
        assert answer.status_code == status, path
        assert answer.headers["content-type"] == "application/json", path
        assert answer.content == b"", path
