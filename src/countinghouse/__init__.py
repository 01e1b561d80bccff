"""Countinghouse: the back office of an investment-style service."""

# The wheel takes its version from here.
__version__ = "0.1.1"
