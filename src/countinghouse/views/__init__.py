"""Saved views: a name for what a screen shows. Each admin sees only their own."""
