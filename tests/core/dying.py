"""Migrates and is killed. In its own module, so that the new process imports nothing of the tests."""

import os
import signal

from sqlalchemy import Index

from countinghouse.claims.tables import claims
from countinghouse.core.db import Database
from countinghouse.core.indexes import built_later
from countinghouse.core.migrate import migrate
from countinghouse.partitions import actions


def migrate_and_die(url: str, after: str) -> None:
    """Dies when all statements of this step have run, and before anything is committed."""

    def die(revision: str) -> None:
        if revision == after:
            os.kill(os.getpid(), signal.SIGKILL)

    migrate(Database(url), die)


def partition_and_die(url: str, step: str) -> None:
    """Dies instead of this step."""
    setattr(actions, step, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    actions.partition(Database(url), 10, lambda _: None)


def migrate_with_index(url: str) -> None:
    built_later(Index("ix_claims_later", claims.c.address, claims.c.created_at.desc()))
    migrate(Database(url))
