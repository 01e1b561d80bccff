"""The registered users of the service."""
