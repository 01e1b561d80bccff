"""Shared infrastructure. It contains no business rules or business terms."""
