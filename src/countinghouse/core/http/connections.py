"""How many connections each network has open: one address must not take all that a process can have."""

from collections import Counter
from collections.abc import Iterable
from threading import Lock

from countinghouse.core.http.requests import is_within, network_key, parse_address
from countinghouse.settings import Network

# Six connections of each of forty browsers behind one address. Sixteen such networks fill a process.
MOST_PER_NETWORK = 256


class ConnectionShares:
    """Of one process. Trusted proxies are exempt: each of their connections may be another client's."""

    def __init__(self, most: int = MOST_PER_NETWORK, exempt: Iterable[Network] = ()) -> None:
        self.most = most
        self._exempt = tuple(exempt)
        self._open: Counter[str] = Counter()
        # The port of the metrics has an event loop of its own.
        self._lock = Lock()

    def add(self, host: str | None) -> str | None:
        """Returns the network of this peer, for `count` and `remove`, or None if it is exempt."""
        address = None if host is None else parse_address(host)
        if address is None or is_within(address, self._exempt):
            return None
        network = network_key(address)
        with self._lock:
            self._open[network] += 1
        return network

    def count(self, network: str | None) -> int:
        return 0 if network is None else self._open[network]

    def remove(self, network: str | None) -> None:
        if network is None:
            return
        with self._lock:
            self._open[network] -= 1
            if self._open[network] == 0:
                del self._open[network]
