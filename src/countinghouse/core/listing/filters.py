"""Filters that several lists share."""

from sqlalchemy import Column, ColumnElement, Table, bindparam

AMOUNTS = ("min_amount", "max_amount")


def created_between(table: Table) -> dict[str, ColumnElement[bool]]:
    return {
        "from_": table.c.created_at >= bindparam("from_"),
        "to": table.c.created_at < bindparam("to"),
    }


def amount_between(paise: Column[int]) -> dict[str, ColumnElement[bool]]:
    return {
        "min_amount": paise >= bindparam("min_amount"),
        "max_amount": paise <= bindparam("max_amount"),
    }
