"""A disk that fills up under load and gets free space again: clear refusals, a quick recovery, nothing lost."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from drills.own_postgres import DURABLE, OwnPostgres, own_postgres
from drills.small_disk import Disk, small_disk
from drills.trouble import Outcome, UnderLoad, under_load
from tests.databases import Place, Template, desk_template, migrated_template

MEGABYTES = {"sqlite": 64, "postgresql": 192}
# File size limits where nothing can be mounted. With SQLite the server writes the files itself, and its log must still
# fit.
MOST_BYTES = {"sqlite": 1_000_000, "postgresql": 16_384}
CLAIMS_A_TROUBLE = 400
PATIENCE_SECONDS = 30.0
FULL_SECONDS = 2.0


@dataclass(frozen=True)
class DiskDesk:
    """An application whose database is on a small disk."""

    disk: Disk
    desk: Template
    postgres: OwnPostgres | None = None

    def writers(self, load: UnderLoad) -> Sequence[int]:
        return self.postgres.processes() if self.postgres else [load.server.process.pid]

    def fill(self, load: UnderLoad) -> None:
        """Returns when clients have noticed: writes that fit into the existing files still succeed."""
        self.disk.fill(self.writers(load))
        met = len(load.clients.notes)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not any(noted.status != 200 for noted in load.clients.notes[met:]):
            assert time.monotonic() < deadline, "nobody noticed that the disk is full"
            time.sleep(0.05)

    def fill_for_a_while(self, load: UnderLoad) -> None:
        self.fill(load)
        time.sleep(FULL_SECONDS)
        self.disk.make_room(self.writers(load))
        if self.postgres:
            # PostgreSQL stops when there is no space for its WAL, and an operator has to start it again.
            if not self.postgres.processes():
                self.postgres.start_again()
            self.postgres.wait_until_up()


def run_full(engine: str, *, times: int, is_long: bool) -> Outcome:
    """Ends with SIGTERM while the disk is full."""
    outcome = Outcome()
    with desk_on_small_disk(engine) as place:
        claims = CLAIMS_A_TROUBLE * (times + 1)
        with under_load(place.desk.url, place.desk, outcome, claims=claims, is_long=is_long) as load:
            for _ in range(times):
                load.meet("disk full", lambda: place.fill_for_a_while(load))
            place.fill(load)
            load.finish("the disk full")
            place.disk.make_room(place.writers(load))
        if place.postgres and not place.postgres.processes():
            place.postgres.start_again()
        outcome.faults += outcome.ledger.find_faults(place.desk.url)
    return outcome


@contextmanager
def desk_on_small_disk(engine: str) -> Iterator[DiskDesk]:
    with small_disk(MEGABYTES[engine], MOST_BYTES[engine]) as disk:
        if engine == "postgresql":
            with own_postgres(DURABLE, disk.folder) as postgres:
                yield DiskDesk(disk, postgres.desk, postgres)
        else:
            place = Place(disk.folder, None)
            yield DiskDesk(disk, desk_template(place, migrated_template(place)))
