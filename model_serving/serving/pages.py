"""``GET /`` and ``GET /docs``, the pages people look at: nothing from another host, and compressed with all files."""

import gzip
from collections.abc import Mapping, Sequence
from functools import lru_cache

from flask import Flask, Response, make_response, render_template, request

_STRICT = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",  # generated pictures come inside the answer
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}


def _policy(**changes: str) -> str:
    directives = _STRICT | {name.replace("_", "-"): value for name, value in changes.items()}
    return "; ".join(f"{name} {value}" for name, value in directives.items())


POLICY = _policy(require_trusted_types_for="'script'")
BROWSER_POLICY = _policy(style_src="'self' 'unsafe-inline'")
"""Of the API browser, which writes styles of its own into the page."""


def install(app: Flask) -> None:
    """Compress the pages of ``app`` and their files for those who read gzip.

    Answers of models are left alone: they may hold what is secret, which lengths of compressed text give away.
    """
    app.after_request(_finish)


def page(models: Sequence[Mapping[str, str]]) -> Response:
    """The page that lists ``models``, each with name, family, summary and href, and lets people try them."""
    families: dict[str, list[Mapping[str, str]]] = {}
    for model in models:
        families.setdefault(model["family"], []).append(model)
    response = make_response(render_template("index.html", families=families))
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


def browser() -> Response:
    """The page that renders the OpenAPI document."""
    response = make_response(render_template("docs.html"))
    response.headers["Content-Security-Policy"] = BROWSER_POLICY
    return response


def _finish(response: Response) -> Response:
    if request.endpoint != "static" and response.mimetype != "text/html":
        return response
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.vary.add("Accept-Encoding")
    if request.method == "GET" and response.status_code == 200 and request.accept_encodings["gzip"]:
        response.direct_passthrough = False
        response.set_data(_compressed(response.get_data()))
        response.content_encoding = "gzip"
        etag, _ = response.get_etag()
        if etag is not None:
            response.set_etag(etag, weak=True)
    return response


@lru_cache(maxsize=64)
def _compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
