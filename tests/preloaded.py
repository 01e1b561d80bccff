"""Imported once, by the process whose forks are servers and commands: what each of them would read again."""

from countinghouse.core.migrate import newest_revision
from countinghouse.settings import Settings

newest_revision()
Settings(_env_file=None)
