"""Passkeys (WebAuthn): what the browser is asked, and whether its answer is right. Pure functions."""

from ipaddress import ip_address
from typing import Annotated, Any
from urllib.parse import urlsplit

import structlog
from pydantic import BaseModel, ConfigDict, Field
from webauthn import verify_authentication_response, verify_registration_response
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    decode_credential_public_key,
    decoded_public_key_to_cryptography,
)
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.registration.verify_registration_response import VerifiedRegistration

from countinghouse.admins.factors.codes import ISSUER
from countinghouse.core.errors import Conflict
from countinghouse.core.examples import body_examples

log = structlog.get_logger()

ALGORITHMS = (
    COSEAlgorithmIdentifier.ECDSA_SHA_256,
    COSEAlgorithmIdentifier.EDDSA,
    COSEAlgorithmIdentifier.RSASSA_PKCS1_v1_5_SHA_256,
)

_Base64 = Annotated[str, Field(min_length=1, max_length=1400, pattern=r"^[A-Za-z0-9_-]+$")]
_LongBase64 = Annotated[str, Field(min_length=1, max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")]


_EXAMPLE = {"id": "q1w2e3", "rawId": "q1w2e3", "type": "public-key"}
PASSKEY_EXAMPLE: dict[str, Any] = {
    **_EXAMPLE,
    "response": {"clientDataJSON": "eyJ0", "authenticatorData": "SZYN", "signature": "MEUC"},
}
NEW_PASSKEY_EXAMPLE: dict[str, Any] = {
    **_EXAMPLE,
    "response": {"clientDataJSON": "eyJ0", "attestationObject": "o2Nm"},
}


class _FromBrowser(BaseModel):
    """What a browser adds to the answer of a passkey differs from browser to browser, and grows. Nothing of it is lost:
    what counts is signed, and is checked."""

    model_config = ConfigDict(extra="ignore")


class PasskeyAssertion(_FromBrowser):
    model_config = body_examples(PASSKEY_EXAMPLE["response"])

    clientDataJSON: _LongBase64  # noqa: N815 - WebAuthn's own name
    authenticatorData: _LongBase64  # noqa: N815 - WebAuthn's own name
    signature: _LongBase64


class PasskeyAnswer(_FromBrowser):
    """`PublicKeyCredential.toJSON()` after `navigator.credentials.get`."""

    model_config = body_examples(PASSKEY_EXAMPLE)

    id: _Base64
    rawId: _Base64  # noqa: N815 - WebAuthn's own name
    type: Annotated[str, Field(max_length=20)] = "public-key"
    response: PasskeyAssertion


class PasskeyAttestation(_FromBrowser):
    model_config = body_examples(NEW_PASSKEY_EXAMPLE["response"])

    clientDataJSON: _LongBase64  # noqa: N815 - WebAuthn's own name
    attestationObject: _LongBase64  # noqa: N815 - WebAuthn's own name


class NewPasskeyAnswer(_FromBrowser):
    """`PublicKeyCredential.toJSON()` after `navigator.credentials.create`."""

    model_config = body_examples(NEW_PASSKEY_EXAMPLE)

    id: _Base64
    rawId: _Base64  # noqa: N815 - WebAuthn's own name
    type: Annotated[str, Field(max_length=20)] = "public-key"
    response: PasskeyAttestation


def rp_id_of(origin: str) -> str:
    """The name that passkeys are bound to: a passkey of one site is of no use to another."""
    host = urlsplit(origin).hostname or "localhost"
    try:
        ip_address(host)
    except ValueError:
        return host
    raise Conflict("passkeys_need_a_name", f"Browsers allow no passkeys at {host}: open the desk by its name.")


def verified_assertion(
    answer: PasskeyAnswer, challenge: str, origin: str, public_key: bytes, sign_count: int
) -> int | None:
    """The new sign count, or None if the answer is wrong. The passkey must have verified its user, by PIN or finger."""
    try:
        return verify_authentication_response(
            credential=answer.model_dump(),
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=rp_id_of(origin),
            expected_origin=origin,
            credential_public_key=public_key,
            credential_current_sign_count=sign_count,
            require_user_verification=True,
        ).new_sign_count
    # The library parses foreign bytes: whatever it raises, the answer is not a right one.
    except Exception as error:
        log.warning("passkey_refused", reason=type(error).__name__)
        return None


def verified_registration(answer: NewPasskeyAnswer, challenge: str, origin: str) -> VerifiedRegistration | None:
    try:
        verified = verify_registration_response(
            credential=answer.model_dump(),
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=rp_id_of(origin),
            expected_origin=origin,
            require_user_verification=True,
            supported_pub_key_algs=list(ALGORITHMS),
        )
        # A key that nobody can sign with would be found out at the next login, and then be the only factor.
        decoded_public_key_to_cryptography(decode_credential_public_key(verified.credential_public_key))
        return verified
    # As above.
    except Exception as error:
        log.warning("passkey_refused", reason=type(error).__name__)
        return None


def credential_bytes(credential_id: str) -> bytes | None:
    try:
        return base64url_to_bytes(credential_id)
    except ValueError:
        return None


def credential_text(credential_id: bytes) -> str:
    return bytes_to_base64url(credential_id)


def creation_options(challenge: str, origin: str, admin_id: str, username: str, known: list[str]) -> dict[str, Any]:
    """For `PublicKeyCredential.parseCreationOptionsFromJSON`."""
    return {
        "rp": {"id": rp_id_of(origin), "name": ISSUER},
        "user": {"id": admin_id, "name": username, "displayName": username},
        "challenge": challenge,
        "pubKeyCredParams": [{"type": "public-key", "alg": int(algorithm)} for algorithm in ALGORITHMS],
        "timeout": 300_000,
        "excludeCredentials": [{"type": "public-key", "id": each} for each in known],
        # Discoverable, because a login by passkey alone names no admin.
        "authenticatorSelection": {
            "residentKey": "required",
            "requireResidentKey": True,
            "userVerification": "required",
        },
        "attestation": "none",
    }
