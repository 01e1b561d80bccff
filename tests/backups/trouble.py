"""Trouble for a command, set up in its process before it begins."""

import importlib
import resource
import time

STOPPED = "stopped here"


def stop_at(step: str) -> None:
    """For ever, so that a test can kill it there. `step` names a function of the desk: `cli.backups._verify`."""
    module, _, name = step.rpartition(".")

    def never(*_: object, **__: object) -> None:
        print(STOPPED, flush=True)  # noqa: T201 - the test waits for it
        time.sleep(600)

    setattr(importlib.import_module(f"countinghouse.{module}"), name, never)


def fill_disk(most_bytes: int) -> None:
    """No file can become larger than this."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
