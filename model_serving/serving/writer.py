"""The one way JSON leaves the service: strict, UTF-8, Chinese as Chinese."""

import json
from typing import Any

from flask import Response

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def dumps(value: Any) -> str:
    """Strict JSON; a value that is not finite or not a JSON type is our own fault and raises."""
    return _ENCODER.encode(value)


def json_response(value: Any, status: int = 200) -> Response:
    """``value`` as an ``application/json`` response."""
    return Response(dumps(value) + "\n", status, mimetype="application/json")
