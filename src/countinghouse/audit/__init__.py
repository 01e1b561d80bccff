"""Who did what, and when: one row beside every change, never altered afterwards."""
