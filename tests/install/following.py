"""An operator who follows docs/install.md: types its commands in order, and compares what they print with the guide."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.house.repository import text_of

GUIDE = "docs/install.md"
SECONDS = 300.0
START_SECONDS = 120.0
STOP_SECONDS = 20.0

_PART = re.compile(r"^```(?P<kind>\w*)\n(?P<code>.*?)^```$|(?P<stop>Stop\s+the\s+server\s+with\s+Ctrl-C)", re.M | re.S)
# These keep their terminal.
_KEEPS_RUNNING = re.compile(r"countinghouse (serve)\b.*$|^caddy (run)$", re.M)


def sections() -> dict[str, str]:
    """The sections with commands that a test can type: the others need root, and have blocks of no language."""
    parts = re.split(r"^## (.+)\n", text_of(GUIDE), flags=re.M)
    return {name: text for name, text in zip(parts[1::2], parts[2::2], strict=True) if "\n```sh\n" in text}


def placeholders() -> set[str]:
    """The words that the guide declares to stand for the operator's own."""
    cells = re.findall(r"^\| (`.+?) \| ", text_of(GUIDE), re.M)
    return {word for cell in cells for word in re.findall(r"`([^`]+)`", cell)}


@dataclass
class Terminal:
    """A program that keeps running, in a process group of its own, as in a real terminal."""

    process: "subprocess.Popen[bytes]"
    log: Path

    def press_ctrl_c(self) -> None:
        os.killpg(self.process.pid, signal.SIGINT)
        # By the signal, or with 0 or 130: a shell is between.
        assert self.process.wait(STOP_SECONDS) in (0, 130, -signal.SIGINT)
        assert "Traceback" not in self.log.read_text(), self.log.read_text()

    def close(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(STOP_SECONDS)


@dataclass
class Operator:
    folder: Path
    own: Mapping[str, str]
    environment: Mapping[str, str]
    followed: list[str] = field(default_factory=list)
    terminals: dict[str, Terminal] = field(default_factory=dict)
    _must_stop: bool = False

    def follow(self, section: str, *, may_fail: str = "nothing", **environment: str) -> str:
        """Types a section; returns what its commands have printed. A server is stopped before what follows is typed."""
        self.followed.append(section)
        printed, last = "", ""
        for part in _PART.finditer(sections()[section]):
            code = self._filled_in(part["code"] or "")
            if part["stop"]:
                self._must_stop = True
            elif part["kind"] == "sh":
                last = self._type(code, dict(self.environment) | environment, may_fail)
                printed += last
            elif part["kind"] == "caddyfile":
                # This machine has no name in DNS.
                caddyfile = self.folder / "Caddyfile"
                caddyfile.write_text(code + caddyfile.read_text())
            elif part["kind"] == "text":
                last = self._compare(code.splitlines(), last)
                printed += last
        return printed

    def close(self) -> None:
        for terminal in self.terminals.values():
            terminal.close()

    def _filled_in(self, text: str) -> str:
        words = sorted(self.own, key=len, reverse=True)
        return re.sub("|".join(map(re.escape, words)), lambda found: self.own[found[0]], text)

    def _type(self, code: str, environment: Mapping[str, str], may_fail: str) -> str:
        if self._must_stop:
            self.terminals.pop("serve").press_ctrl_c()
            self._must_stop = False
        command = ["sh", "-e", "-c", code]
        kept = _KEEPS_RUNNING.search(code)
        if kept is None:
            ended = subprocess.run(
                command,
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=SECONDS,
                check=False,
            )
            assert ended.returncode == 0 or may_fail in code, f"{code}\n{ended.stdout}"
            return ended.stdout
        name = kept[1] or "caddy"
        log = self.folder.with_name(f"terminal-{len(self.followed)}-{name}.log")
        with log.open("wb") as written:
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.terminals[name] = Terminal(process, log)
        return ""

    def _compare(self, lines: list[str], printed: str) -> str:
        """Each of the guide's lines, in this order; `…` stands for anything. Waits for a program that keeps running."""
        patterns = (f"^{re.escape(line).replace('…', '.*')}$" for line in lines)
        wanted = re.compile("(?s:.*?)".join(patterns), re.M)
        if printed:
            assert wanted.search(printed), f"The guide shows\n{lines}\nand not\n{printed}"
            return ""
        terminal = list(self.terminals.values())[-1]
        deadline = time.monotonic() + START_SECONDS
        while not wanted.search(terminal.log.read_text()):
            assert terminal.process.poll() is None, terminal.log.read_text()
            assert time.monotonic() < deadline, f"The guide shows\n{lines}\nand not\n{terminal.log.read_text()}"
            time.sleep(0.05)
        return terminal.log.read_text()
