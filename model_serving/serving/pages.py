"""``GET /``, the page people look at: nothing from another host, nothing inline, and compressed with all its files."""

import gzip
from collections.abc import Mapping, Sequence
from functools import lru_cache

from flask import Flask, Response, make_response, render_template, request

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",  # generated pictures come inside the answer
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ]
)


def install(app: Flask, models: Sequence[Mapping[str, str]]) -> None:
    """Serve the page around a list of ``models``, each with name, family, summary and href."""
    families: dict[str, list[Mapping[str, str]]] = {}
    for model in models:
        families.setdefault(model["family"], []).append(model)

    def page() -> Response:
        response = make_response(render_template("index.html", families=families))
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
        return response

    app.add_url_rule("/", view_func=page, methods=["GET"])
    app.after_request(_finish)


def _finish(response: Response) -> Response:
    """Say what files are, and compress them; answers of models are left alone, for they may hold what is secret."""
    if request.endpoint in ("page", "static") and response.status_code == 200:
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.vary.add("Accept-Encoding")
        if request.method == "GET" and request.accept_encodings["gzip"]:
            response.direct_passthrough = False
            response.set_data(_compressed(response.get_data()))
            response.content_encoding = "gzip"
            etag, _ = response.get_etag()
            response.set_etag(etag or "", weak=True)
    return response


@lru_cache(maxsize=256)
def _compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
