"""Made-up data that looks real, to try the desk with."""
