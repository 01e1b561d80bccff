"""A sixth resource, built only from the steps in CONTRIBUTING.md, to keep those steps true and few."""
