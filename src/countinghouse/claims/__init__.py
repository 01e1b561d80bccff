"""Withdrawal claims, and the only way they move: Pending, Accepted, Paid."""
