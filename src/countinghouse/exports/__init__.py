"""Exports a list as a file: exactly the rows that a screen shows, streamed to the admin who requested it."""
