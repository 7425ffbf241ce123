"""Keys that open ``/v1``, where the conf asks for them; only their hashes are kept, and nothing tells a key again."""

import hashlib
import hmac
from collections.abc import Sequence

from flask import Flask, Request, request

from model_serving.serving.errors import ServiceError

HEADER = "X-API-Key"


def install(app: Flask, hashes: Sequence[str]) -> None:
    """Let nobody to ``/v1`` and below it who does not show a key.

    Preflights pass, for browsers send them without one, and so does what lies outside ``/v1`` and tells nothing of the
    models' work: health, metrics, the page.

    Args:
        hashes: the SHA-256 of each key in hex digits; none leaves ``app`` open.
    """
    known = [bytes.fromhex(digits) for digits in hashes]

    def check() -> None:
        path = request.path
        if request.method == "OPTIONS" or not (path == "/v1" or path.startswith("/v1/")):
            return
        key = _shown(request)
        digest = hashlib.sha256(key).digest()
        fitting = sum(hmac.compare_digest(digest, one) for one in known)  # compares with all, whichever fits
        if not (key and fitting):
            raise ServiceError(
                401,
                "unauthorized",
                f"Send a valid key as {HEADER}: <key> or as Authorization: Bearer <key>",
                headers={"WWW-Authenticate": "Bearer"},
            )

    if known:
        app.before_request(check)


def _shown(request: Request) -> bytes:
    """The key as it was sent; without one, nothing."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    key = request.headers.get(HEADER) or (token.strip() if scheme.lower() == "bearer" else "")
    return key.encode("latin-1")
