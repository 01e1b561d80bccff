"""The people who work at the desk: their passwords, sessions, and the door they come in by."""
