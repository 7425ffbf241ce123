"""The service described for programs: OpenAPI 3.1 (spec.openapis.org/oas/v3.1.0) from the schemas that validate."""

import inspect
from collections.abc import Iterable, Sequence
from typing import Any

import model_serving
from model_serving.resources.base import JSON, ModelResource, ServedModel
from model_serving.serving import callers, keys, request_log
from model_serving.serving.errors import FAILURES
from model_serving.utils.settings import Settings

Part = dict[str, Any]

PATH = "/v1/openapi.json"

_SERVICE = "service"
_ANY = ("RequestId",)
_RUN = (400, 401, 413, 415, 500, 503, 504)
_READ = (401, 500)


def document(models: Sequence[ServedModel], settings: Settings) -> Part:
    """All paths of the service.

    Args:
        models: started, for their cards hold the examples.
        settings: whether keys are asked for, and which deadlines are known.
    """
    closed = bool(settings.keys.sha256)
    families = dict.fromkeys(model.resource.family for model in models)
    schemas = {name: schema for model in models for name, schema in _schemas(model).items()}
    described: Part = {
        "openapi": "3.1.0",
        "info": _INFO,
        "tags": [{"name": name} for name in (*families, _SERVICE)],
        "paths": {model.resource.href(): _model(model, closed) for model in models} | _lists(closed) | _health(closed),
        "components": {
            "schemas": {"Failure": _FAILURE, "Card": _CARD, "Models": _MODELS} | schemas,
            "parameters": _parameters(settings.queue.deadline_seconds, settings.queue.longest_deadline_seconds),
            "headers": _HEADERS,
            "responses": {_name(status): _failure(status) for status in FAILURES},
        },
    }
    if closed:
        described["components"]["securitySchemes"] = _SECURITY
        described["security"] = [{name: []} for name in _SECURITY]
    return described


def _model(model: ServedModel, closed: bool) -> Part:
    """The path of one model."""
    resource, example = model.resource, model.card["example"]
    sent = {"schema": _schema(f"{model.name}Request"), "example": example["request"]}
    result = {JSON: {"schema": _schema(f"{model.name}Response"), "example": example["response"]}}
    others: dict[str, Part] = {media_type: {} for media_type in resource.representations}
    headers = ("X-Model-Version",)
    return {
        "post": {
            "operationId": f"run{model.name}",
            "tags": [resource.family],
            "summary": resource.summary(),
            "description": _description(resource),
            "parameters": _refs("parameters", (*_ANY, "RequestTimeout")),
            "requestBody": {"required": True, "content": {JSON: sent}},
            "responses": _responses("The result", result | others, headers, _RUN, closed),
        },
        "get": {
            "operationId": f"show{model.name}",
            "tags": [resource.family],
            "summary": f"The card of {model.name}: metrics, data, limits, schemas, and an example",
            **_shown(model, others, headers, closed),
        },
    }


def _shown(model: ServedModel, others: dict[str, Part], headers: Iterable[str], closed: bool) -> Part:
    """What a GET takes and answers: the card, or what its query asks for where that can be shown."""
    card = {JSON: {"schema": _schema("Card")}}
    if not others:
        return {
            "parameters": _refs("parameters", _ANY),
            "responses": _responses("The card", card, headers, _READ, closed),
        }
    properties: dict[str, Part] = model.request_schema["properties"]
    fields = [{"name": name, "in": "query", "schema": part} for name, part in properties.items()]
    either = {JSON: {"schema": {"anyOf": [_schema("Card"), _schema(f"{model.name}Response")]}}}
    described = "The card; or, where the query holds the fields of a request, its result"
    return {
        "parameters": [*_refs("parameters", (*_ANY, "RequestTimeout")), *fields],
        "responses": _responses(described, either | others, headers, (400, 401, 500, 503, 504), closed),
    }


def _description(resource: type[ModelResource]) -> str:
    return inspect.cleandoc(resource.__doc__ or "").partition("\n")[2].strip()


def _schemas(model: ServedModel) -> dict[str, Part]:
    return {f"{model.name}Request": model.request_schema, f"{model.name}Response": model.resource.response_schema}


def _lists(closed: bool) -> dict[str, Part]:
    models = {JSON: {"schema": _schema("Models")}}
    this = {JSON: {"schema": {"type": "object", "required": ["openapi", "info", "paths"]}}}
    return {
        "/v1": {"get": _get("listModels", "The models", _responses("All models", models, (), _READ, closed))},
        PATH: {"get": _get("describe", "This document", _responses("OpenAPI", this, (), (*_READ, 503), closed))},
    }


def _health(closed: bool) -> dict[str, Part]:
    """What is asked by machines that look after the service, never with a key."""
    state = {"type": "object", "required": ["status"], "properties": {"status": {"enum": ["alive", "ready"]}}}
    healthy, text = {JSON: {"schema": state}}, {"text/plain": {"schema": {"type": "string"}}}
    said = {
        "/healthz": _get("isAlive", "The process answers", _responses("It does", healthy, (), (500,), closed)),
        "/readyz": _get("isReady", "Its models are warm", _responses("They are", healthy, (), (500, 503), closed)),
        "/metrics": _get("measure", "What all workers counted", _responses("For Prometheus", text, (), (500,), closed)),
    }
    return {path: {"get": get | ({"security": []} if closed else {})} for path, get in said.items()}


def _get(operation: str, summary: str, responses: Part) -> Part:
    common = {"tags": [_SERVICE], "parameters": _refs("parameters", _ANY)}
    return {"operationId": operation, "summary": summary, **common, "responses": responses}


def _responses(
    description: str, content: Part, headers: Iterable[str], statuses: Iterable[int], closed: bool
) -> dict[str, Part]:
    """The good answer and the failures; 401 only where keys are asked for."""
    shown = _headers("X-Request-ID", *headers)
    answers: dict[str, Part] = {"200": {"description": description, "headers": shown, "content": content}}
    for status in statuses:
        if closed or status != 401:
            answers[str(status)] = {"$ref": f"#/components/responses/{_name(status)}"}
    return answers


def _failure(status: int) -> Part:
    codes = FAILURES[status]
    narrowed = {"allOf": [_schema("Failure"), {"properties": {"code": {"enum": list(codes)}}}]}
    return {
        "description": "\n".join(f"- `{code}`: {when}" for code, when in codes.items()),
        "headers": _headers("X-Request-ID", *_FAILURE_HEADERS.get(status, ())),
        "content": {JSON: {"schema": narrowed}},
    }


def _name(status: int) -> str:
    """A status' name among the components, after its first code."""
    return "".join(word.capitalize() for word in next(iter(FAILURES[status])).split("_"))


def _schema(name: str) -> Part:
    return {"$ref": f"#/components/schemas/{name}"}


def _refs(kind: str, names: Iterable[str]) -> list[Part]:
    return [{"$ref": f"#/components/{kind}/{name}"} for name in names]


def _headers(*names: str) -> dict[str, Part]:
    return dict(zip(names, _refs("headers", names), strict=True))


def _parameters(default: int, longest: int) -> dict[str, Part]:
    seconds = {"type": "number", "exclusiveMinimum": 0, "maximum": longest, "default": default}
    return {
        "RequestId": {
            "name": request_log.HEADER,
            "in": "header",
            "description": "1 to 64 letters, digits, `_`, `.` or `-`, echoed in the answer; else an id is made",
            "schema": {"type": "string"},
        },
        "RequestTimeout": {
            "name": callers.HEADER,
            "in": "header",
            "description": "Seconds to wait for the answer",
            "schema": seconds,
        },
    }


_INFO: Part = {
    "title": "Model serving",
    "version": model_serving.__version__,
    "description": (
        "`POST` a JSON object to a model. A field that takes one item also takes a list of them; the result is "
        "then a list of the same length and order. Any path answers errors as `Failure`: 404 where it is "
        "unknown, 405 where the method is wrong."
    ),
    "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
}

_TEXT: Part = {"type": "string"}
_OBJECTS: Part = {"type": "array", "items": {"type": "object"}}

_HEADERS: dict[str, Part] = {
    "X-Request-ID": {"description": "The id of this request in the log", "required": True, "schema": _TEXT},
    "X-Model-Version": {"description": "Changes with the model's artifacts", "required": True, "schema": _TEXT},
    "Retry-After": {"description": "Seconds", "required": True, "schema": {"type": "integer", "minimum": 0}},
    "WWW-Authenticate": {"description": "`Bearer`", "required": True, "schema": _TEXT},
    "Allow": {"description": "The right methods", "required": True, "schema": _TEXT},
}
_FAILURE_HEADERS = {401: ("WWW-Authenticate",), 405: ("Allow",), 503: ("Retry-After",)}

_SECURITY: dict[str, Part] = {
    "key": {"type": "apiKey", "in": "header", "name": keys.HEADER},
    "bearer": {"type": "http", "scheme": "bearer"},
}

_FAILURE: Part = {
    "type": "object",
    "required": ["message", "code", "request_id"],
    "properties": {
        "message": {"description": "One line for people", "type": "string", "examples": ["must be a string"]},
        "code": {"description": "For programs", "enum": [code for codes in FAILURES.values() for code in codes]},
        "request_id": {"description": "Finds the request in the log", "type": "string"},
        "path": {"description": "The field to blame", "type": "string", "examples": ["$.text[1]"]},
    },
    "additionalProperties": False,
}

_CARD: Part = {
    "type": "object",
    "required": ["name", "family", "summary", "paper", "variants", "data", "metrics", "version", "limits",
                 "request_schema", "response_schema", "example"],
    "properties": {
        "name": _TEXT,
        "family": _TEXT,
        "summary": _TEXT,
        "paper": {"type": ["string", "null"]},
        "variants": {"type": "array", "items": _TEXT},
        "data": _OBJECTS,
        "metrics": {"description": "In points of 100, each beside a baseline", **_OBJECTS},
        "version": _TEXT,
        "limits": {"type": "object", "additionalProperties": {"type": "integer"}},
        "request_schema": {"type": "object"},
        "response_schema": {"type": "object"},
        "example": {"type": "object", "required": ["request", "response"]},
    },
    "additionalProperties": False,
}  # fmt: skip

_ENTRY: Part = {
    "type": "object",
    "required": ["name", "family", "summary", "href"],
    "properties": {"name": _TEXT, "family": _TEXT, "summary": _TEXT, "href": _TEXT},
}
_MODELS: Part = {
    "type": "object",
    "required": ["models"],
    "properties": {"models": {"type": "array", "items": _ENTRY}},
    "additionalProperties": False,
}
