"""The audit log: one row for every change, saying who did what and when. Rows are never altered."""
