"""Creates Django's own tables beside ours, a superuser and a session for it, and prints the session's key."""

import os
import sys

import django
from django.core.management import call_command

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "django_desk.settings")
django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402

call_command("migrate", verbosity=0)
user, _ = get_user_model().objects.get_or_create(username="bench", is_staff=True, is_superuser=True)
session = SessionStore()
session[SESSION_KEY] = str(user.pk)
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.save()
sys.stdout.write(session.session_key)
