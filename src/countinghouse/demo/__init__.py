"""Made-up data that looks real, for trying out the application."""
