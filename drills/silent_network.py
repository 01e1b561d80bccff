"""A network to PostgreSQL that goes silent under load, or drops its connections' state, and comes back."""

import time
from urllib.parse import urlsplit

from drills.own_postgres import own_postgres
from drills.silent_proxy import SilentProxy, silent_proxy
from drills.trouble import PROMISED, Outcome, under_load

# Longer than a client may have to wait for a refusal, so that every client gets one.
SILENT_SECONDS = PROMISED.refusal_seconds + 2.0
CLAIMS_A_TROUBLE = 200


def go_silent(*, silences: int, forgets: int, is_long: bool) -> Outcome:
    """Ends with SIGTERM; while the network is silent, if it ever is."""
    outcome = Outcome()
    with own_postgres() as postgres:
        direct = urlsplit(postgres.desk.url)
        assert direct.hostname is not None
        assert direct.port is not None
        with silent_proxy((direct.hostname, direct.port)) as proxy:
            through = postgres.desk.url.replace(f":{direct.port}/", f":{proxy.port}/")
            claims = CLAIMS_A_TROUBLE * (silences + forgets + 1)
            with under_load(through, postgres.desk, outcome, claims=claims, is_long=is_long) as load:
                for number in range(max(silences, forgets)):
                    if number < silences:
                        load.meet("silent", lambda: _be_silent(proxy))
                    if number < forgets:
                        # The server can only find out by a timeout, which may last as long as a refusal may take.
                        load.meet("connections forgotten", proxy.forget, over_after=PROMISED.refusal_seconds)
                if silences:
                    proxy.go_silent()
                    # So that some requests are waiting for it.
                    time.sleep(1)
                load.finish("a silent network" if silences else "the network in order")
        outcome.faults += outcome.ledger.find_faults(postgres.desk.url)
    return outcome


def _be_silent(proxy: SilentProxy) -> None:
    proxy.go_silent()
    time.sleep(SILENT_SECONDS)
    proxy.heal()
