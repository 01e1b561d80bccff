"""The comparisons, each with the right answer according to the database."""

from collections.abc import Callable
from functools import cache
from itertools import cycle, repeat
from typing import Any

from bench.bare import BARE, bare_page, pgbench_after_login
from bench.comparison import Comparison, Work, compare
from bench.contenders.contender import Contender
from bench.contenders.directus import Directus
from bench.contenders.django import CountingChangelist, RestFramework, UncountedChangelist
from bench.contenders.node import Express, Fastify
from bench.contenders.starlette_admin import StarletteAdmin
from bench.desks import Desk
from bench.gates import bad_steps_of
from bench.lanes import Lane
from bench.plan import CONNECTIONS
from bench.run import Run
from bench.statements import EXPECTED_IDS, MATCHES, MOVE, OLDER_THAN, QUEUE, newest_page
from bench.tasks import PAGE, DeepPage, Move, NewestPage, SearchedPage, Task

ALL_PEERS: dict[str, Callable[[], Contender]] = {
    "drf": RestFramework,
    "django-admin": CountingChangelist,
    "django-admin-uncounted": UncountedChangelist,
    "starlette-admin": StarletteAdmin,
    "express": Express,
    "fastify": Fastify,
    "directus": Directus,
}
ON_SQLITE = ("drf", "django-admin", "django-admin-uncounted")
WITH_CHANGES = ("drf", "express", "fastify")


def peers(run: Run, *lanes: str) -> list[Contender]:
    return [ALL_PEERS[lane]() for lane in lanes or ALL_PEERS if run.wants(lane)]


def ids(desk: Desk, statement: str, *values: Any) -> list[str]:
    return [row[0] for row in desk.fetch(statement, *values)]


def compare_newest_page(run: Run) -> Comparison:
    return _newest_page(run, "postgresql", peers(run))


def compare_newest_page_on_sqlite(run: Run) -> Comparison:
    return _newest_page(run, "sqlite", peers(run, *ON_SQLITE))


def _newest_page(run: Run, engine: str, contenders: list[Contender]) -> Comparison:
    desk = run.desk(engine, run.plan.large)
    expected = ids(desk, EXPECTED_IDS.format(skip=0))
    work = Work(f"Page of 50 newest of {desk.claims:,} claims", desk, repeat(NewestPage()), lambda _: expected)
    statement = newest_page(is_sqlite=desk.postgres is None)
    with bare_page(run, desk, statement) as bare:
        found = compare(work, contenders, bare, run.plan, run.token(desk), run.folder)
    if desk.postgres is not None:
        bad = bad_steps_of(desk, statement)
        found.findings.append(f"Steps of the bare page's plan that it should not need: {bad}.")
    return found


def compare_searched_page(run: Run) -> Comparison:
    desk = run.desk("postgresql", run.plan.large)

    @cache
    def expected(task: Task) -> list[str]:
        if not isinstance(task, SearchedPage):
            raise TypeError(task)
        return ids(desk, MATCHES, task.status, *[f"%{task.text}%"] * 4)

    tasks = [SearchedPage(mobile, "Paid") for mobile in some_mobiles(desk)]
    work = Work(f"Status and search with few hits in {desk.claims:,} claims", desk, cycle(tasks), expected)
    return compare(work, peers(run), [], run.plan, run.token(desk), run.folder)


def compare_deep_page(run: Run) -> Comparison:
    desk = run.desk("postgresql", run.plan.large)
    task = last_page(desk)
    expected = ids(desk, EXPECTED_IDS.format(skip=task.skip))
    work = Work(f"Page at depth {desk.claims:,}", desk, repeat(task), lambda _: expected)
    older = OLDER_THAN.format(created_at=task.created_at, claim_id=task.claim_id)
    with bare_page(run, desk, older) as bare:
        return compare(work, peers(run), bare, run.plan, run.token(desk), run.folder)


def compare_status_change(run: Run) -> Comparison:
    with run.copy_of(run.desk("postgresql", run.plan.large)) as desk:
        pending = ids(desk, "SELECT id FROM claims WHERE status = 'Pending' ORDER BY id")
        share = len(pending) // (len(WITH_CHANGES) + 3)
        plan = run.plan.with_at_most(share // (run.plan.rounds + 3) - 2 * CONNECTIONS)
        bare = [_bare_change(run, desk, pending[:share])] if run.wants("bare") else []
        work = Work(
            "Status change with transition and audit row",
            desk,
            (Move(claim_id) for claim_id in pending[share:]),
        )
        return compare(work, peers(run, *WITH_CHANGES), bare, plan, run.token(desk), run.folder)


def _bare_change(run: Run, desk: Desk, pending: list[str]) -> Lane:
    if desk.postgres is None:
        raise ValueError(f"the {BARE} changes claims on PostgreSQL only")
    with desk.postgres.connected(desk.name) as connection, connection.cursor() as cursor:
        cursor.execute(QUEUE)
        with cursor.copy("COPY bench_queue (n, claim_id, new_id) FROM STDIN") as copy:
            for number, claim_id in enumerate(pending):
                copy.write_row((number, claim_id, f"{number:024x}"))
        cursor.execute("VACUUM ANALYZE bench_queue")
    return pgbench_after_login(run, desk, MOVE, len(pending))


def last_page(desk: Desk) -> DeepPage:
    skip = desk.claims - PAGE
    before = "SELECT created_at, id FROM claims ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?"
    created_at, claim_id = desk.fetch(before, skip - 1)[0]
    moment = created_at if isinstance(created_at, str) else created_at.isoformat(timespec="milliseconds")
    return DeepPage(skip, moment.replace("+00:00", "Z"), claim_id)


def some_mobiles(desk: Desk) -> list[str]:
    """Mobile numbers of users who have been paid."""
    chosen = desk.fetch(
        "SELECT mobile FROM users WHERE id IN"
        " (SELECT user_id FROM claims WHERE status = 'Paid' ORDER BY id DESC LIMIT 500) ORDER BY mobile LIMIT 16"
    )
    return [mobile for (mobile,) in chosen]
