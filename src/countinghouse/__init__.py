"""Countinghouse: the back office of an investment-style service."""
