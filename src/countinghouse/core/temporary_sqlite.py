"""A scratch table that does not fit into memory."""

import sqlite3

# In KiB; the rest is in a temporary file, which the operating system deletes with the process.
_CACHE = 16_384


def open_temporary_sqlite() -> sqlite3.Connection:
    # The empty name makes a temporary file.
    connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    for setting in (f"cache_size = -{_CACHE}", "journal_mode = OFF", "synchronous = OFF"):
        connection.execute(f"PRAGMA {setting}")
    return connection
