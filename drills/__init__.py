"""Long versions of what `make test` shows in short."""
