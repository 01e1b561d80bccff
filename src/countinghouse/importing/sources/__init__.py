"""The files that can be imported, each read document by document at constant memory."""
