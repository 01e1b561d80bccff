"""The system's Firefox, driven over WebDriver BiDi: Playwright only drives a Firefox that it has built itself."""

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

START_SECONDS = 40.0
PATIENCE_SECONDS = 20.0
# Firefox waits for an event of the accessibility tree while a document loads, without a limit, and can miss it. The
# next query finds the tree ready.
QUERY_SECONDS = 3.0
POLL_SECONDS = 0.05

# Disables what a new profile would otherwise fetch or show.
PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "intl.locale.requested": "en-US",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}

Node = dict[str, Any]


class Firefox:
    """One browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._last_id = 0
        self.complaints: list[str] = []
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])

    def send(self, method: str, *, seconds: float = PATIENCE_SECONDS, **params: Any) -> Any:
        self._last_id += 1
        self._socket.send(json.dumps({"id": self._last_id, "method": method, "params": params}))
        deadline = time.monotonic() + seconds
        while True:
            answer = json.loads(self._socket.recv(timeout=max(0.1, deadline - time.monotonic())))
            if answer.get("method") == "log.entryAdded":
                self._hear(answer["params"])
            elif answer.get("id") == self._last_id:
                if answer["type"] == "error":
                    raise AssertionError(f"{method}: {answer['message']}")
                return answer["result"]

    def _hear(self, entry: dict[str, Any]) -> None:
        if entry["level"] == "error":
            self.complaints.append(str(entry["text"]))

    @contextmanager
    def own_storage(self) -> Iterator[str]:
        """A storage partition shared only by the tabs opened in it. They are closed with it."""
        storage: str = self.send("browser.createUserContext")["userContext"]
        yield storage
        self.send("browser.removeUserContext", userContext=storage)

    def open_tab(self, storage: str) -> "Tab":
        return Tab(self, self.send("browsingContext.create", type="tab", userContext=storage)["context"])


class Tab:
    def __init__(self, browser: Firefox, context: str) -> None:
        self._browser = browser
        self._context = context

    def go_to(self, url: str) -> None:
        self._browser.send("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def bring_to_front(self) -> None:
        self._browser.send("browsingContext.activate", context=self._context)

    def call(self, function: str, *arguments: Any) -> Any:
        """Call a JavaScript function. Arguments and result can be strings, numbers, booleans or nodes."""
        answer = self._browser.send(
            "script.callFunction",
            functionDeclaration=function,
            awaitPromise=True,
            arguments=[_argument(value) for value in arguments],
            target={"context": self._context},
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        result = answer["result"]
        return result if result["type"] == "node" else result.get("value")

    def find(self, role: str, name: str, inside: Node | None = None) -> Node:
        """Wait until exactly one element has this accessible role and name, and return it."""
        value = {"role": role, "name": name}
        return self._only({"type": "accessibility", "value": value}, inside, f"{role} “{name}”")

    def select(self, css: str, inside: Node | None = None) -> Node:
        return self._only({"type": "css", "value": css}, inside, css)

    def field(self, label: str) -> Node:
        labelled = (
            "text => [...document.querySelectorAll('label')].find(({ textContent }) => textContent === text)?.control"
        )
        self.wait_until(f"text => Boolean(({labelled})(text))", label)
        node: Node = self.call(labelled, label)
        return node

    def _only(self, locator: dict[str, Any], inside: Node | None, what: str) -> Node:
        found: list[Node] = []

        def reader() -> bool:
            within = {"startNodes": [{"sharedId": inside["sharedId"]}]} if inside else {}
            try:
                answer = self._browser.send(
                    "browsingContext.locateNodes",
                    seconds=QUERY_SECONDS,
                    context=self._context,
                    locator=locator,
                    **within,
                )
            except (AssertionError, TimeoutError):
                # The page was navigated away during the query, or Firefox does not answer this one.
                return False
            found[:] = answer["nodes"]
            return len(found) == 1

        _wait(reader, lambda: f"{len(found)} elements instead of one: {what}\n{self._text()}")
        return found[0]

    def click(self, node: Node) -> None:
        """Click like a person: the element must be enabled and visible."""
        ready = "element => element.isConnected && !element.matches(':disabled, [aria-busy=true]')"
        _wait(lambda: bool(self.call(ready, node)), lambda: f"cannot be pressed: {node}\n{self._text()}")
        self.call("element => element.scrollIntoView({ block: 'center' })", node)
        origin = {"type": "element", "element": {"sharedId": node["sharedId"]}}
        actions = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._perform({"type": "pointer", "id": "mouse", "actions": actions})

    def press(self, *keys: str) -> None:
        """Press characters, or keys by their WebDriver code."""
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._perform({"type": "key", "id": "keyboard", "actions": strokes})

    def type_into(self, node: Node, text: str) -> None:
        self.click(node)
        self.press(*text)

    def choose_file(self, node: Node, path: Path) -> None:
        element = {"sharedId": node["sharedId"]}
        self._browser.send("input.setFiles", context=self._context, element=element, files=[str(path)])

    def _perform(self, source: dict[str, Any]) -> None:
        self._browser.send("input.performActions", context=self._context, actions=[source])

    def wait_until(self, function: str, *arguments: Any, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until a JavaScript function returns a truthy value."""
        _wait(lambda: bool(self.call(function, *arguments)), lambda: f"{function}\n{self._text()}", seconds)

    def wait_for_text(self, text: str, inside: Node | None = None, *, seconds: float = PATIENCE_SECONDS) -> None:
        place = [inside] if inside else []
        has_text = "(text, place = document.body) => place.innerText.includes(text)"
        self.wait_until(has_text, text, *place, seconds=seconds)

    def _text(self) -> str:
        return str(self.call("() => `${location.href}\n${document.body.innerText}`"))


def _argument(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return {"sharedId": value["sharedId"]}
    if isinstance(value, bool):
        return {"type": "boolean", "value": value}
    return {"type": "number" if isinstance(value, int | float) else "string", "value": value}


def _wait(is_so: Any, complaint: Any, seconds: float = PATIENCE_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            raise AssertionError(f"Not within {seconds:g} seconds: {complaint()}")
        time.sleep(POLL_SECONDS)


@contextmanager
def started_firefox(program: str, folder: Path) -> Iterator[Firefox]:
    """Firefox with a new profile in the folder; it is stopped when the block ends."""
    profile, home, log = folder / "profile", folder / "home", folder / "firefox.log"
    profile.mkdir()
    home.mkdir()
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
    (profile / "user.js").write_text("".join(lines))
    # Firefox refuses a home directory that belongs to another user.
    environment = {**os.environ, "HOME": str(home), "MOZ_DISABLE_AUTO_SAFE_MODE": "1", "TZ": "Asia/Kolkata"}
    command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "about:blank"], env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        with connect(f"{_address(process, log)}/session", max_size=None, open_timeout=START_SECONDS) as socket:
            yield Firefox(socket)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        listening = re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text(errors="replace"))
        if listening:
            return listening[1]
        time.sleep(POLL_SECONDS)
    raise RuntimeError(f"Firefox did not start:\n{log.read_text(errors='replace')}")
