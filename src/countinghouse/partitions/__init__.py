"""Monthly partitions of the tables that grow with every change, on PostgreSQL (docs/decisions/0029)."""
