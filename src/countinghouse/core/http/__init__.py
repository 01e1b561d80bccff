"""The HTTP layer: everything that each request and each response passes through."""
