"""Long forms of what `make test` shows in short."""
