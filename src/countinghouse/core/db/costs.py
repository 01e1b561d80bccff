"""Lanes for database work, one per cost class: a search never takes the connection that a page needs."""

from enum import Enum, auto

from countinghouse.core.lanes import Lane


class Cost(Enum):
    """The maximum cost of a piece of work, known before it runs. Each class has its own lane."""

    # A few rows by their keys: sessions, pages in an order that has an index.
    SHORT = auto()
    # A few thousand index entries: what was paid this week, the end of the audit log.
    MEDIUM = auto()
    # A search or a filter that may have to read every row.
    LONG = auto()
    # A short transaction; it may wait for a row lock.
    CHANGE = auto()
    # A transaction with a statement that may take many seconds, such as the plan of a large batch.
    LONG_CHANGE = auto()


def lanes(places: dict[Cost, int]) -> dict[Cost, Lane]:
    return {
        Cost.SHORT: Lane(places[Cost.SHORT], most_waiting=500, most_waiting_per_caller=250),
        Cost.MEDIUM: Lane(places[Cost.MEDIUM], most_waiting=200, most_waiting_per_caller=50),
        Cost.LONG: Lane(places[Cost.LONG], most_waiting=100, most_waiting_per_caller=20),
        Cost.LONG_CHANGE: Lane(places[Cost.LONG_CHANGE], most_waiting=20, most_waiting_per_caller=5, wait_seconds=3.0),
        # Changes may wait for row locks: one caller's must not take all places.
        Cost.CHANGE: Lane(
            places[Cost.CHANGE],
            places_per_caller=max(1, places[Cost.CHANGE] // 2),
            most_waiting=500,
            most_waiting_per_caller=250,
            wait_seconds=3.0,
        ),
    }
