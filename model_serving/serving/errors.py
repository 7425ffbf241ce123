"""Every failure as one JSON object; the only place that knows which failure has which status."""

import logging
from collections.abc import Mapping

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from model_serving.serving.writer import json_response

FAILURES: Mapping[int, Mapping[str, str]] = {
    400: {
        "no_json": "no body, or a body that is no JSON object",
        "bad_json": "not UTF-8, not strict JSON",
        "schema": "a field missing, unknown, of another type, out of bounds",
        "input": "the model can not answer this item, all items together are too long, or a header is out of bounds",
    },
    401: {"unauthorized": "keys are switched on in conf and none that fits was sent"},
    404: {"not_found": "no such path; or the model is switched off"},
    405: {"method": "wrong method; `Allow` names the right ones"},
    413: {"too_large": "the body is over the limit"},
    415: {"media_type": "not `application/json` in UTF-8, or compressed"},
    500: {"internal": "our fault; the request id finds the traceback in the log"},
    503: {
        "busy": "too many requests wait; `Retry-After` says when to come again",
        "not_ready": "the models are not warm yet",
        "draining": "the worker is stopping; send no more here",
    },
    504: {
        "deadline": "the answer was not there in time: `X-Request-Timeout: <seconds>`, or the default in conf",
    },
}
"""What each status and code says of a request."""

CODES = {404: "not_found", 405: "method", 413: "too_large", 415: "media_type"}

log = logging.getLogger("service")


class ServiceError(Exception):
    """A failure to be answered.

    Args:
        status: HTTP status.
        code: the stable word a program can act on.
        message: one line for people, without the caller's input.
        path: the field to blame, like ``$.text[1]``.
        headers: to be sent with the answer.
    """

    def __init__(
        self, status: int, code: str, message: str, path: str | None = None, headers: Mapping[str, str] | None = None
    ):
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.path = path
        self.headers = dict(headers or {})


def answer(error: Exception) -> Response:
    """The JSON answer to any exception; one that is nobody's fault but ours is logged with its traceback."""
    failure = _as_service_error(error)
    body = {"message": failure.message, "code": failure.code, "request_id": g.get("request_id", "-")}
    if failure.path is not None:
        body["path"] = failure.path
    response = json_response(body, failure.status)
    response.headers.update(failure.headers)
    return response


def install(app: Flask) -> None:
    """Answer every exception raised in ``app`` through :func:`answer`."""
    app.register_error_handler(Exception, answer)


def _as_service_error(error: Exception) -> ServiceError:
    if isinstance(error, ServiceError):
        return error
    if isinstance(error, HTTPException) and error.code is not None and error.code < 500:
        return _of_werkzeug(error)
    log.error("Request %s failed", g.get("request_id", "-"), exc_info=error)
    return ServiceError(500, "internal", "The service failed; the request id finds the reason in its log")


def _of_werkzeug(error: HTTPException) -> ServiceError:
    assert error.code is not None
    messages = {
        404: "No such path; GET /v1 lists the models",
        405: f"{request.method if request.method.isalpha() else 'This method'} is not allowed here",
        413: "The body is larger than the limit",
    }
    message = messages.get(error.code, error.name)
    allow = {name: value for name, value in error.get_response().headers.items() if name == "Allow"}
    return ServiceError(error.code, CODES.get(error.code, "input"), message, headers=allow)
