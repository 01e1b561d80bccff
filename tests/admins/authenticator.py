"""A passkey authenticator in software, and helpers for second factors."""

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

ORIGIN = "http://desk.test"
USER_PRESENT, USER_VERIFIED, HAS_CREDENTIAL = 0x01, 0x04, 0x40


def to_base64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64(text: str) -> bytes:
    return urlsafe_b64decode(text + "===")


@dataclass
class Authenticator:
    """One passkey. `counts` is whether it counts its uses."""

    origin: str = ORIGIN
    rp_id: str = "desk.test"
    flags: int = USER_PRESENT | USER_VERIFIED
    counts: bool = True
    sign_count: int = 0
    credential_id: bytes = field(default_factory=lambda: os.urandom(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    # Another one than that of the key, for tests of what is refused.
    public_key: bytes | None = None

    def create(self, challenge: str) -> dict[str, Any]:
        numbers = self.key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (numbers.x, numbers.y))
        public_key = self.public_key or cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        length = len(self.credential_id).to_bytes(2, "big")
        data = self._data(self.flags | HAS_CREDENTIAL) + bytes(16) + length + self.credential_id + public_key
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._credential("webauthn.create", challenge, {"attestationObject": to_base64(attestation)})

    def get(self, challenge: str) -> dict[str, Any]:
        self.sign_count += self.counts
        data = self._data(self.flags)
        signed = data + sha256(self._client_data("webauthn.get", challenge)).digest()
        signature = self.key.sign(signed, ec.ECDSA(hashes.SHA256()))
        answer = {"authenticatorData": to_base64(data), "signature": to_base64(signature)}
        return self._credential("webauthn.get", challenge, answer)

    def _data(self, flags: int) -> bytes:
        return sha256(self.rp_id.encode()).digest() + bytes([flags]) + self.sign_count.to_bytes(4, "big")

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}).encode()

    def _credential(self, kind: str, challenge: str, response: dict[str, str]) -> dict[str, Any]:
        name = to_base64(self.credential_id)
        client_data = to_base64(self._client_data(kind, challenge))
        return {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {"clientDataJSON": client_data, **response},
        }
