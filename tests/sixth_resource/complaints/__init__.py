"""Complaints of clients."""
