"""While the server runs, checks purchases that were inserted directly into the database, within seconds."""

from countinghouse.core.db import Database
from countinghouse.core.poller import Poller
from countinghouse.purchases.actions import check_unchecked, has_unchecked

POLL_SECONDS = 2.0


def purchase_watch(database: Database) -> Poller:
    async def check_some() -> bool:
        return await database.read(has_unchecked) and bool(await check_unchecked(database))

    return Poller("purchase_watch", check_some, every_seconds=POLL_SECONDS)
