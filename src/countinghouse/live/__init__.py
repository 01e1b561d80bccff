"""Open screens learn what others do."""
