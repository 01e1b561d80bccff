"""A server whose webhooks go nowhere: the addresses in a fuzzed request belong to strangers."""

from countinghouse.webhooks import targets


def go_offline() -> None:
    """Runs in the process of the server."""
    setattr(targets, "_look_up", find_no_address)  # noqa: B010 - not an exported name of that module


def find_no_address(host: str, _port: int) -> list[str]:
    raise OSError(f"{host} is not looked up in a drill")
