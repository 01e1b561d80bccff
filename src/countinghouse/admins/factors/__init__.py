"""Second factors: codes of an authenticator app, recovery codes, passkeys, and what they confirm."""
