from hashlib import sha256

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed

from django_desk.models import Session


class TokenAuthentication(BaseAuthentication):
    """Our own sessions: an opaque token whose SHA-256 is in the table."""

    def authenticate(self, request):
        scheme, _, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme != "Bearer":
            return None
        session = (
            Session.objects.select_related("admin")
            .defer("ended_at", "admin__disabled_at")
            .filter(token_hash=sha256(token.encode()).digest(), ended_at=None, admin__disabled_at=None)
            .first()
        )
        if session is None or session.expires_at < timezone.now():
            raise AuthenticationFailed
        return session.admin, session

    def authenticate_header(self, request):
        return "Bearer"
