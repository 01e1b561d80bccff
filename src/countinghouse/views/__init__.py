"""Views that admins saved: a name for what a screen shows. Each admin sees their own."""
