"""Intake: the service pushes its users, purchases and claims, and corrects or withdraws them."""
