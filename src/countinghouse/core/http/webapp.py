"""Serves the built web app from memory. Hashed files may be cached for a year; the page itself is always revalidated.

A path that neither the API nor the web app knows is answered with 404.
"""

import gzip
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response

from countinghouse.core.http.requests import accepts

_PACKAGE = Path(__file__).parent.parent.parent
# Not from the `mimetypes` module, whose answers depend on the machine.
_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".txt": "text/plain",
}
_ALREADY_COMPRESSED = (".png", ".woff2")
_BROTLI_SUFFIX = ".br"

NOT_BUILT = b"""<!doctype html><title>Countinghouse</title>
<p>The web app is not built yet. Run <code>make setup</code> and start the server again.</p>"""


@dataclass(frozen=True)
class File:
    content: bytes
    # Compressed contents by their Accept-Encoding name, smallest first.
    packed: Mapping[str, bytes]
    media_type: str
    is_hashed: bool


def webapp_folder() -> Path:
    installed = _PACKAGE / "web"
    return installed if installed.is_dir() else _PACKAGE.parent.parent / "web" / "dist"


@cache
def _load(folder: Path) -> Mapping[str, File]:
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith(".") and path.suffix != _BROTLI_SUFFIX:
            media_type = _TYPES.get(path.suffix, "application/octet-stream")
            files[name] = File(path.read_bytes(), _compress(path), media_type, name.startswith("assets/"))
    return files


def _compress(path: Path) -> dict[str, bytes]:
    if path.suffix in _ALREADY_COMPRESSED:
        return {}
    packed = {}
    # Compressed by the build, because it takes seconds, too long for each start of the server.
    brotli_file = path.with_name(path.name + _BROTLI_SUFFIX)
    if brotli_file.is_file():
        packed["br"] = brotli_file.read_bytes()
    return packed | {"gzip": gzip.compress(path.read_bytes(), 9, mtime=0)}


# Of Accept-Encoding. What is read of it is kept.
LONGEST_CODINGS = 200

# A screen with one of its rows open, such as /Withdraw/C-10482, by number or id.
_ROW = re.compile("[a-z]-[0-9]{1,15}|[0-9a-f]{24}")


def _is_screen(path: str, screens: frozenset[str]) -> bool:
    """The same rule as in the web app, in web/src/app/routes.tsx: case does not matter."""
    if path == "/":
        return True
    address = path.lower().removesuffix("/")
    folder, _, last = address.rpartition("/")
    is_row = _ROW.fullmatch(last) is not None and folder in screens
    return address in screens or is_row or (last != "" and f"{folder}/:id" in screens)


def webapp_router(folder: Path, policy: str, screens: Iterable[str]) -> APIRouter:
    known_screens = frozenset(screen.lower() for screen in screens)
    files = _load(folder)
    page = files.get("index.html", File(NOT_BUILT, {}, "text/html", False))
    router = APIRouter(include_in_schema=False)

    @router.api_route("/{path:path}", methods=["GET", "HEAD"])
    async def serve_webapp(path: str, request: Request) -> Response:
        if path == "api" or (path.startswith(("api/", "assets/")) and path not in files):
            raise HTTPException(404)
        file = files.get(path, page)
        is_known = path in files or _is_screen(request.scope["path"], known_screens)
        if not is_known and "text/html" not in request.headers.get("accept", "").lower():
            raise HTTPException(404, headers={"Vary": "Accept"})
        # A browser still gets the page: the web app redirects an unknown path to the login.
        status = 200 if is_known else 404
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable" if file.is_hashed else "no-cache",
            "Vary": "Accept-Encoding" if is_known else "Accept, Accept-Encoding",
        }
        # Only for documents: scripts and style sheets follow the policy of the page that loads them.
        if file.media_type == "text/html":
            headers["Content-Security-Policy"] = policy
        accepted = request.headers.get("accept-encoding", "")[:LONGEST_CODINGS]
        for coding, content in file.packed.items():
            if accepts(accepted, coding):
                headers["Content-Encoding"] = coding
                return Response(content, status, media_type=file.media_type, headers=headers)
        return Response(file.content, status, media_type=file.media_type, headers=headers)

    return router
