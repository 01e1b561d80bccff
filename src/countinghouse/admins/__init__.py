"""Admins: their passwords, login, sessions and authentication."""
