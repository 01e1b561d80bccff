"""The rules an operator sets for all admins."""
