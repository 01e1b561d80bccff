"""Machinery without a business word."""
