"""Watching the desk: metrics, health and version."""
