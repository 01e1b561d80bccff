"""The long form of each drill that runs on a copy of one template."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from drills.api_fuzz import fuzz_api
from drills.audit_tampering import tamper
from drills.backups import backups
from drills.batches_killed import kill_in_the_middle
from drills.bystander import PROMISED_SECONDS
from drills.clock_jumps import jump
from drills.clocks_apart import set_apart
from drills.endless_http import attack_endlessly
from drills.floods import SETTINGS, flood_together
from drills.guessing import SHAPES, guess_for_a_day
from drills.hostile_pictures import show_hostile_pictures, store_bombs
from drills.import_killed import import_and_kill
from drills.junk import SETTINGS as WITHOUT_KEY_LIMIT
from drills.junk import UNDISTURBED_SECONDS, send_junk
from drills.lost_replies import lose_replies
from drills.naive_server import be_naive
from drills.pairs import two_servers
from drills.picture_flood import flood
from drills.pushers import push_together
from drills.races import race
from drills.server_killed import kill_during_moves
from drills.slow_readers import read_slowly
from drills.stalled_readers import stall_readers
from drills.webhooks_killed import kill_while_sending
from tests.databases import Template
from tests.importing.formats import write_archive
from tests.importing.synthetic import Service
from tests.qr.bombs import bombs
from tests.qr.doctored import doctored_pictures
from tests.servers import started_server

RACES = 2_000
RACES_OF_THE_CONTROL = 100
MOVES = 10_000
MOVES_OF_THE_CONTROL = 600
BATCH_ROWS = 10_000
KILLS = 200
KILLS_OF_SENDERS = 10
MEGABYTES_OF_EACH_ATTACK = 400
JUNK_SECONDS = 5.0
STALLED_SECONDS = 50.0
SLOWLY_READ, SLOW_SECONDS = 100_000, 45.0
IMPORTED = Service(users=100_000, purchases=300_000, claims=200_000)
IMPORT_KILLS = 20
PUSHERS = 50
PUSHED_ROWS = 10_000
ALTERATIONS_OF_EACH_KIND = 1_000
# On each of the two databases: fifty thousand calls, twenty thousand pictures and half an hour together.
CALLS_OF_EACH_OPERATION = 300
PICTURES = 10_000
PICTURE_WORKERS = 2
BOMBS = 500
FLOOD_SECONDS = 15 * 60

# What the drill found, as a sentence, and the list of what is wrong.
Found = tuple[str, list[str]]
Drill = Callable[[str, Template], Found]


def races(url: str, _template: Template) -> Found:
    with two_servers(url) as servers:
        result = race(url, servers, races=RACES)
    return f"{result.races} races of 32 admins: {len(result.faults)} without exactly one winner", [*result.faults]


def races_of_the_control(url: str, _template: Template) -> Found:
    with two_servers(url, be_naive) as servers:
        result = race(url, servers, races=RACES_OF_THE_CONTROL)
    caught = [fault for fault in result.faults if "winners" in fault]
    missed = [] if caught else ["The naive move was not caught."]
    return f"{result.races} races on the naive move: {len(caught)} caught", missed


def lost_replies(url: str, _template: Template) -> Found:
    with two_servers(url) as servers:
        result = lose_replies(url, servers, moves=MOVES)
    found = f"{result.moves} moves in {result.tries} tries, {dict(result.fates)}: {len(result.misled)} admins misled"
    return f"{found}, {len(result.faults)} moves not made exactly once", [*result.misled, *result.faults]


def lost_replies_without_keys(url: str, _template: Template) -> Found:
    with two_servers(url) as servers:
        result = lose_replies(url, servers, moves=MOVES_OF_THE_CONTROL, with_keys=False)
    missed = [] if result.misled else ["Nobody was misled without keys: the line loses too little to show anything."]
    return f"{result.moves} moves without keys: {len(result.misled)} admins misled", [*missed, *result.faults]


def audit_tampering(url: str, _template: Template) -> Found:
    result = tamper(url, each=ALTERATIONS_OF_EACH_KIND)
    return f"{dict(result.found)} alterations of the audit log found, {len(result.missed)} missed", result.missed


def api_fuzz(url: str, _template: Template) -> Found:
    result = fuzz_api(url, cases_of_each=CALLS_OF_EACH_OPERATION)
    found = f"{result.cases:,} fuzzed calls, {result.accepted} of {len(result.answers)} operations accepted some"
    return f"{found}: {len(result.faults)} faults", result.faults


def hostile_pictures(url: str, _template: Template) -> Found:
    # Other pictures on the other database.
    seed = 1_000 if url.startswith("sqlite") else 2_000
    shown = show_hostile_pictures(url, doctored_pictures(PICTURES, seed=seed), workers=PICTURE_WORKERS)
    stored = store_bombs(bombs(BOMBS, seed=seed))
    found = f"{shown.pictures:,} hostile pictures, {shown.displayed:,} times on display, {shown.read:,} times read"
    summary = f"{found}; {stored.refused} of {stored.pictures} bombs refused"
    return f"{summary}: {len(shown.faults)} and {len(stored.faults)} faults", [*shown.faults, *stored.faults]


def guessing(url: str, _template: Template) -> Found:
    days = [guess_for_a_day(url, shape, number=number) for number, shape in enumerate(SHAPES)]
    summary = [
        f"{shape.__name__} {day.guesses:,} guesses, {day.reached} reached the hash, {day.logins} logins of the admin"
        for shape, day in zip(SHAPES, days, strict=True)
    ]
    return f"days of guessing: {'; '.join(summary)}", [fault for day in days for fault in day.faults]


def floods(url: str, _template: Template) -> Found:
    with started_server(url, program=None, **SETTINGS) as server:
        result = flood_together(url, server, seconds=FLOOD_SECONDS, slowest_seconds=PROMISED_SECONDS)
    return str(result), result.faults


def batch_killed(url: str, template: Template) -> Found:
    killed = kill_in_the_middle(url, template.tokens["asha"], rows=BATCH_ROWS, kills=3)
    return f"a batch of {killed.rows}, killed after {killed.done_at_kills} rows: whole in the end, nothing twice", []


def server_killed(url: str, template: Template) -> Found:
    found = kill_during_moves(url, template.tokens["asha"], kills=KILLS)
    return str(found), found.faults


def webhooks_killed(url: str, template: Template) -> Found:
    found = kill_while_sending(url, template.tokens["asha"], kills=KILLS_OF_SENDERS)
    return str(found), found.faults


def endless_http(url: str, template: Template) -> Found:
    with started_server(url, COUNTINGHOUSE_LOG_LEVEL="warning") as server:
        result = attack_endlessly(
            server, template.tokens["asha"], megabytes=MEGABYTES_OF_EACH_ATTACK, slowest_seconds=PROMISED_SECONDS
        )
    found = f"{len(result.outcomes)} endless requests: the server grew by {result.growth_megabytes} MB"
    return f"{found}, others waited {result.slowest_answer_seconds:.1f} s at most", [*result.faults]


def junk(url: str, template: Template) -> Found:
    with started_server(url, **WITHOUT_KEY_LIMIT) as server:
        sender, bystander = template.tokens["asha"], template.tokens["ravi"]
        result = send_junk(
            server, sender=sender, bystander=bystander, seconds=JUNK_SECONDS, slowest_seconds=UNDISTURBED_SECONDS
        )
    return str(result), result.faults


def stalled_readers(url: str, template: Template) -> Found:
    with started_server(url, COUNTINGHOUSE_LOG_LEVEL="warning") as server:
        result = stall_readers(
            url, server, template.tokens["asha"], stalled_seconds=STALLED_SECONDS, slowest_seconds=PROMISED_SECONDS
        )
    found = f"{result.readers} stalled readers, {result.refused} of them refused: grew by {result.growth_megabytes} MB"
    return f"{found}, others waited {result.slowest_answer_seconds:.1f} s at most", [*result.faults]


def slow_readers(url: str, template: Template) -> Found:
    with started_server(url, COUNTINGHOUSE_LOG_LEVEL="warning") as server:
        result = read_slowly(
            url,
            server,
            template.tokens["asha"],
            claims=SLOWLY_READ,
            seconds=SLOW_SECONDS,
            slowest_seconds=PROMISED_SECONDS,
        )
    found = f"{result.moves:,} moves beside slow readers of {SLOWLY_READ:,} claims: first byte after "
    found += f"{result.first_byte_seconds * 1000:.0f} ms, a log of {result.log_megabytes:.0f} MB at most"
    return f"{found}, others waited {result.slowest_answer_seconds:.1f} s at most", [*result.faults]


def clock_jumps(url: str, _template: Template) -> Found:
    result = jump(url, claims_a_jump=20, rounds=10)
    found = f"{result.jumps} jumps of the clock, {result.moves} moves, {result.logins} logins"
    refused = f"{len(result.refused)} refused, {len(result.faults)} moves not made exactly once"
    return f"{found}: {refused}", [*result.refused, *result.faults]


def clocks_apart(url: str, _template: Template) -> Found:
    result = set_apart(url, claims_a_jump=20)
    found = f"two servers, {result.jumps} jumps of one clock, {result.moves} moves, {result.late_rows} late rows"
    work = f"{result.imported} rows imported, {result.exported} exported"
    return f"{found}, {work}: audit verify found {len(result.faults)} faults", [*result.faults]


def picture_flood(url: str, _template: Template) -> Found:
    with started_server(url) as server:
        result = flood(url, server.url, server.process.pid, pictures=50, seconds=60, slowest_seconds=PROMISED_SECONDS)
    found = f"50 senders of pictures for a minute, {dict(result.answers)}: other calls within "
    return f"{found}{result.slowest_seconds:.1f} s, {result.growth_megabytes:.0f} MB more", [*result.faults]


def pushers(url: str, template: Template) -> Found:
    result = push_together(url, template.tokens["asha"], pushers=PUSHERS, rows=PUSHED_ROWS)
    found = f"{PUSHERS} pushers of the same {result.rows:,} rows, {result.calls} calls in {result.tries} tries"
    return f"{found}, {dict(result.fates)}: {len(result.faults)} faults, {result.with_findings} findings", result.faults


def import_killed(url: str, _template: Template) -> Found:
    with tempfile.TemporaryDirectory(prefix="countinghouse-import-") as folder:
        result = import_and_kill(url, IMPORTED, write_archive, Path(folder), kills=IMPORT_KILLS)
    found = f"an import of {result.rows:,} rows, killed {result.kills} times: {result.megabytes:.0f} MB at most"
    return f"{found}, {result.rows_per_second:,.0f} rows a second in the last run", result.faults


# These run on a copy of one template.


DRILLS: tuple[Drill, ...] = (
    races,
    races_of_the_control,
    lost_replies,
    lost_replies_without_keys,
    batch_killed,
    server_killed,
    webhooks_killed,
    endless_http,
    junk,
    stalled_readers,
    slow_readers,
    clock_jumps,
    clocks_apart,
    picture_flood,
    pushers,
    import_killed,
    backups,
    audit_tampering,
    api_fuzz,
    hostile_pictures,
    guessing,
    floods,
)
