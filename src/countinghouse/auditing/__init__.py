"""Reading the audit log: who did what, when and from where. It is written by every room (`audit`)."""
