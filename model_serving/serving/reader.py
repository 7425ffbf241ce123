"""The one way JSON enters the service: strict in type, encoding, size, nesting, keys and numbers.

RFC 8259 leaves duplicate keys, lone surrogates and large numbers to the reader; two readers that differ on them see
two different requests. This one refuses all three.
"""

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, NoReturn

from flask import Request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge
from werkzeug.http import parse_options_header

from model_serving.serving.errors import ServiceError
from model_serving.serving.slow_clients import SLOW_CLIENTS

MEDIA_TYPE = "application/json"
LONGEST_NUMBER = 32
"""Characters of the longest number read; 64-bit integers and all doubles fit."""

DEEPEST = 32
"""Levels of nesting read; no schema here has more than four."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def read_object(request: Request) -> dict[str, Any]:
    """The request's body as a JSON object.

    Raises:
        ServiceError: 400 ``no_json`` or ``bad_json``, 413, 415.
    """
    if not request.content_length and "Transfer-Encoding" not in request.headers:
        raise ServiceError(400, "no_json", "No JSON object")
    _check_type(request)
    body = _read(request)
    if not body.strip():
        raise ServiceError(400, "no_json", "No JSON object")
    value = loads(body)
    if not isinstance(value, dict):
        raise ServiceError(400, "no_json", f"No JSON object: the body is {_kind(value)}")
    return value


def read_query(request: Request, properties: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The request's query as a JSON object, for callers who can not send a body, like ``<img>``.

    Args:
        request: its query holds fields.
        properties: the schema of each; what holds no text is read as JSON, and left as it is where it is none.

    Raises:
        ServiceError: 400 ``bad_json``, a field is there twice.
    """
    body: dict[str, Any] = {}
    for name, values in request.args.lists():
        if len(values) > 1:
            raise _bad("The query has the same field twice")
        body[name] = values[0]
        if properties.get(name, {}).get("type") in ("integer", "number", "boolean"):
            with suppress(ServiceError):  # the schema then tells what it should be
                body[name] = loads(values[0].encode())
    return body


def loads(body: bytes) -> Any:
    """Parse strict UTF-8 JSON; a byte order mark in front is passed over.

    Raises:
        ServiceError: 400 ``bad_json`` with the kind of the mistake, and its line and column where one is known.
    """
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _bad(f"The body is not valid UTF-8 at byte {error.start}") from None
    try:
        value = _DECODER.decode(text)
        _check_depth(value)
    except json.JSONDecodeError as error:
        raise _bad(f"The body is not valid JSON at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise _bad("The body is nested too deep") from None
    if _SURROGATE.search(text):
        _check_surrogates(value)
    return value


def _read(request: Request) -> bytes:
    limit = request.max_content_length
    if limit is not None and request.content_length is None:
        request.max_content_length = limit + 1  # Werkzeug ends a chunked body at the limit without a word
    try:
        body = request.get_data(cache=False)
    except (ParseException, OSError, ClientDisconnected):
        raise _bad("The body did not arrive whole") from None
    finally:
        SLOW_CLIENTS.done(request.environ.get("gunicorn.socket"))
    if limit is not None and len(body) > limit:
        raise RequestEntityTooLarge
    return body


def _check_type(request: Request) -> None:
    sent = request.environ  # past the mapping of its headers, which takes ten times as long
    if sent.get("HTTP_CONTENT_ENCODING", "identity").strip().lower() != "identity":
        raise ServiceError(415, "media_type", "Send the body without Content-Encoding")
    if sent.get("HTTP_TRANSFER_ENCODING", "chunked").strip().lower() != "chunked":
        raise ServiceError(415, "media_type", "Send the body with no Transfer-Encoding but chunked")
    if not _is_json(sent.get("CONTENT_TYPE", "")):
        raise ServiceError(415, "media_type", f"Send the body as Content-Type: {MEDIA_TYPE}, in UTF-8")


@lru_cache(maxsize=64)
def _is_json(content_type: str) -> bool:
    """Whether a Content-Type names JSON in UTF-8; callers send few different ones."""
    media_type, parameters = parse_options_header(content_type)
    return media_type.lower() == MEDIA_TYPE and parameters.get("charset", "utf-8").lower() in ("utf-8", "utf8")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _bad("An object in the body has the same key twice")
    return value


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise _bad(f"A number in the body has more than {LONGEST_NUMBER} characters")
    return int(digits)


def _float(digits: str) -> float:
    if len(digits) > LONGEST_NUMBER:
        raise _bad(f"A number in the body has more than {LONGEST_NUMBER} characters")
    value = float(digits)
    if math.isinf(value):
        raise _bad("A number in the body is too large")
    return value


def _constant(_: str) -> NoReturn:
    raise _bad("NaN and Infinity are not JSON numbers")


def _check_depth(value: Any) -> None:
    """Walk the containers level by level; strings and numbers are not touched one by one."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise _bad("The body is nested too deep")


def _check_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise _bad("A string in the body holds half of a surrogate pair") from None


def _kind(value: Any) -> str:
    names = {list: "an array", str: "a string", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "null")


def _bad(message: str) -> ServiceError:
    return ServiceError(400, "bad_json", message)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant)
