"""SQL expressions that compare account numbers and bank codes by `account_key`, however they are written.

Only functions that every SQLite and PostgreSQL has: an index is made of them, and other programs write to its table.
"""

from sqlalchemy import Dialect, String, TypeDecorator
from sqlalchemy.sql.functions import FunctionElement

from countinghouse.core.listing.sql import compile_on_both
from countinghouse.india.accounts import AROUND, FOLDED, WITHIN


class _Key(TypeDecorator[str]):
    """SQLite computes the hexadecimal digits of the key. Of an unreadable text, they are not all UTF-8."""

    impl = String
    cache_ok = True

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or dialect.name != "sqlite":
            return value
        return bytes.fromhex(value).decode(errors="replace")


class key_of(FunctionElement[str]):  # noqa: N801 - reads as the SQL function it is
    """key_of(column): the `account_key` of a text."""

    inherit_cache = True
    type = _Key()


class keys_among(FunctionElement[bool]):  # noqa: N801
    """keys_among(column, texts): the key of the column is that of one of these texts, which are bound as one value."""

    inherit_cache = True


class a_spelling(FunctionElement[str]):  # noqa: N801
    """a_spelling(column): one of several that are stored, the same one on both engines."""

    inherit_cache = True
    type = String()


def _quoted(characters: str) -> str:
    return "'" + characters.replace("'", "''") + "'"


def _key_on_postgresql(text: str) -> str:
    # Case is folded without the locale of the database, and the index sorted without it: it may change with the next
    # version of the operating system. What has no counterpart in the last text of translate() is removed.
    wide, narrow = "".join(map(chr, FOLDED)), "".join(FOLDED.values())
    key = f"translate(btrim({text}, {_quoted(AROUND)}), {_quoted(wide + WITHIN)}, {_quoted(narrow)})"
    # Nearly all are plain already, and translate() takes twenty times as long as a look at them.
    return f'(CASE WHEN {text} COLLATE "C" ~ \'^[0-9A-Z]*$\' THEN {text} ELSE {key} END COLLATE "C")'


# How the bytes of wide characters begin in hexadecimal digits, and the first digit of the character that each stands
# for. The digits of no other text contain these, because no byte of UTF-8 is FB.
_WIDE = {"EFBC9": "3", "EFBCA": "4", "EFBCB": "5", "EFBD8": "4", "EFBD9": "5"}


def _key_on_sqlite(text: str) -> str:
    """In hexadecimal digits, in which one replacement is enough for sixteen characters: the parser of SQLite before
    3.46 takes about twenty function calls within each other."""
    key = f"trim({text}, {_quoted(AROUND)})"
    for character in WITHIN:
        key = f"replace({key}, {_quoted(character)}, '')"
    key = f"hex(upper({key}))"
    for wide, narrow in _WIDE.items():
        key = f"replace({key}, '{wide}', '{narrow}')"
    return f"CASE WHEN {text} NOT GLOB '*[^0-9A-Z]*' THEN hex({text}) ELSE {key} END"


compile_on_both(key_of, _key_on_postgresql("{0}"), _key_on_sqlite("{0}"))
_BOUND_ON_POSTGRESQL = f"SELECT {_key_on_postgresql('value')} FROM unnest(CAST({{1}} AS varchar[])) AS value"  # noqa: S608
_BOUND_ON_SQLITE = f"SELECT {_key_on_sqlite('value')} FROM json_each({{1}})"  # noqa: S608 - no input
compile_on_both(
    keys_among,
    f"{_key_on_postgresql('{0}')} = ANY(ARRAY({_BOUND_ON_POSTGRESQL}))",
    f"({_key_on_sqlite('{0}')}) IN ({_BOUND_ON_SQLITE})",
)
compile_on_both(a_spelling, 'min({0} COLLATE "C")', "min({0})")
