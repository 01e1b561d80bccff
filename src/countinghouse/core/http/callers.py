"""Who takes turns with whom in a lane: a valid token is a caller of its own, and all others share their network's.

Otherwise a new token with each request would be a new caller, with all the turns that honest ones get.
"""

from collections import OrderedDict
from collections.abc import Hashable, Iterable

from starlette.requests import Request
from starlette.types import Scope

from countinghouse.core.http.requests import client_address, get_settings, network_key
from countinghouse.core.lanes import current_caller
from countinghouse.settings import Network

# More than a process has admins and programs. One that is forgotten waits with its network, once.
MOST_REMEMBERED = 4_096


class Callers:
    """Of one process."""

    def __init__(self, trusted_proxies: Iterable[Network] = ()) -> None:
        self._trusted_proxies = tuple(trusted_proxies)
        # Hashes of Authorization headers whose last check succeeded, the least recently used first.
        self._known: OrderedDict[int, None] = OrderedDict()

    def find(self, scope: Scope, authorization: bytes | None) -> Hashable:
        if authorization is not None:
            caller = hash(authorization)
            if caller in self._known:
                self._known.move_to_end(caller)
                return caller
        return network_key(client_address(Request(scope), self._trusted_proxies))

    def welcome(self, request: Request) -> None:
        caller = hash(request.headers["authorization"].encode("latin-1"))
        self._remember(caller)
        current_caller.set(caller)

    def _remember(self, caller: int) -> None:
        self._known[caller] = None
        if len(self._known) > MOST_REMEMBERED:
            self._known.popitem(last=False)


def welcome_caller(request: Request) -> None:
    """The token of this request is valid."""
    callers: Callers = request.app.state.callers
    callers.welcome(request)


def wait_with_network(request: Request) -> None:
    """For what anybody may ask for, with whatever token."""
    current_caller.set(network_key(client_address(request, get_settings(request).trusted_proxies)))
