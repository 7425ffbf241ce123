"""Is the process alive, and is it ready to answer."""

from collections.abc import Callable

from flask import Blueprint, Response

from model_serving.serving.errors import ServiceError
from model_serving.serving.writer import json_response


def blueprint(ready: Callable[[], bool], draining: Callable[[], bool]) -> Blueprint:
    """``/healthz``, ``/readyz``, and ``/_ah/warmup`` as App Engine asks it."""
    routes = Blueprint("health", __name__)

    @routes.get("/healthz")
    def healthz() -> Response:
        """The process answers."""
        return json_response({"status": "alive"})

    @routes.get("/readyz")
    @routes.get("/_ah/warmup")
    def readyz() -> Response:
        """Every model is loaded and warm in this process."""
        if draining():
            raise ServiceError(503, "draining", "This worker is stopping", headers={"Retry-After": "1"})
        if not ready():
            raise not_ready()
        return json_response({"status": "ready"})

    return routes


def not_ready() -> ServiceError:
    """The refusal of what needs warm models."""
    return ServiceError(503, "not_ready", "The models are not warm yet", headers={"Retry-After": "1"})
