"""The bare SQLite as a separate program: `python -m bench.sqlite_reader DATABASE TOKEN_HASH`.

It reads a number from its input, runs the statements that often in this process, and prints the times in nanoseconds.
"""

import sqlite3
import sys
import time

from bench.statements import SESSION, newest_page

# SQLite's LIMIT comes with an OFFSET, which is a bound parameter.
NOTHING_SKIPPED = {"param_1": 0}


def main() -> None:
    path, token_hash = sys.argv[1], bytes.fromhex(sys.argv[2])
    session = SESSION.format(token_hash="?")  # noqa: S106 - a placeholder
    page = newest_page(is_sqlite=True)
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            began = time.perf_counter_ns()
            if connection.execute(session, (token_hash,)).fetchone() is None:
                sys.exit("The session is not in the database.")
            connection.execute(page, NOTHING_SKIPPED).fetchall()
            times.append(time.perf_counter_ns() - began)
        sys.stdout.write(" ".join(map(str, times)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
