"""Live updates: open screens learn about changes that other admins make."""
