"""Batches: many claims moved by one decision, exactly as it was shown beforehand."""
