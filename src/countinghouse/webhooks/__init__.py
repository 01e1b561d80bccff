"""Webhooks: tell other programs what happened to claims, purchases and QR codes (docs/webhooks.md)."""
