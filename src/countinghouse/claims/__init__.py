"""Withdrawal claims and the only moves they can make between their statuses."""
