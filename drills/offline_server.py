"""`countinghouse serve` whose webhooks go nowhere: the addresses in a fuzzed request belong to strangers."""

import sys

from countinghouse.cli import app
from countinghouse.webhooks import targets

OFFLINE = (sys.executable, "-m", "drills.offline_server")


def find_no_address(host: str, _port: int) -> list[str]:
    raise OSError(f"{host} is not looked up in a drill")


if __name__ == "__main__":
    setattr(targets, "_look_up", find_no_address)  # noqa: B010 - not an exported name of that module
    app(["serve", "--port", *sys.argv[1:]])
