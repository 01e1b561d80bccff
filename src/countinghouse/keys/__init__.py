"""API keys: how the service's own programs identify themselves."""
