"""Django as its documentation deploys it: debug off, persistent connections, prepared statements, no logging."""

import os
from urllib.parse import urlsplit

IS_ADMIN = os.environ["DESK_PART"] == "admin"
SECRET_KEY = os.environ["DESK_SECRET"]
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1"]
USE_TZ = True
ROOT_URLCONF = "django_desk.urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LOGGING_CONFIG = None

_url = urlsplit(os.environ["DESK_DATABASE_URL"])
if _url.scheme == "sqlite":
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": _url.path.removeprefix("/"),
            "CONN_MAX_AGE": None,
            "OPTIONS": {"init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL"},
        }
    }
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": _url.path.removeprefix("/"),
            "HOST": _url.hostname,
            "PORT": _url.port,
            "USER": _url.username,
            "PASSWORD": _url.password,
            "CONN_MAX_AGE": None,
            "OPTIONS": {"server_side_binding": True, "prepare_threshold": 5},
        }
    }

if IS_ADMIN:
    INSTALLED_APPS = [
        "django.contrib.admin",
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "django.contrib.staticfiles",
        "django_desk",
    ]
    MIDDLEWARE = [
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ]
    # With debug off, Django caches compiled templates.
    TEMPLATES = [
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ]
    STATIC_URL = "static/"
else:
    INSTALLED_APPS = ["rest_framework", "django_desk"]
    # What an API without cookies and pages needs; any more would cost every request.
    MIDDLEWARE = ["django.middleware.security.SecurityMiddleware", "django.middleware.common.CommonMiddleware"]
    REST_FRAMEWORK = {
        "DEFAULT_AUTHENTICATION_CLASSES": ["django_desk.sessions.TokenAuthentication"],
        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
        "UNAUTHENTICATED_USER": None,
    }
