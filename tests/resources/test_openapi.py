"""The OpenAPI document: a valid one, whose examples fit its own schemas, for families that it has never heard of."""

import hashlib
import json

import jsonschema
import pytest
from flask import Response
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from model_serving.app import create_app
from model_serving.resources.base import ModelResource
from model_serving.resources.schemas import one_of
from model_serving.serving.errors import FAILURES
from model_serving.utils.settings import Keys, Limits, Model, Queue, Settings

COUNT = {"description": "how many", "type": "integer", "minimum": 1, "maximum": 64}
TRUNCATION = {"description": "how daring", "type": "number", "minimum": 0, "maximum": 1, "default": 0.7}
WORDS = {"type": "array", "maxItems": 9, "items": {"type": "string", "maxLength": 20}}
KEY = "a key"


class Echo:
    def cost(self, item):
        return 1

    def predict(self, items, **options):
        return list(items)


class Painter(ModelResource):
    """Draw pictures.

    From noise (Nobody, 1999).
    """

    family = "generators"
    load = staticmethod(lambda folder: Echo())
    request_schema = staticmethod(
        lambda limits: {
            "type": "object",
            "required": ["count"],
            "properties": {"count": COUNT, "truncation": TRUNCATION, "seed": {"type": "integer", "maximum": 2**53}},
            "additionalProperties": False,
        }
    )
    response_schema = {"type": "object", "required": ["result"], "properties": {"result": COUNT}}
    example = {"count": 3, "truncation": 0.5}
    representations = {"image/png": lambda result: Response(b"png", mimetype="image/png")}


class Neighbours(ModelResource):
    """Know words."""

    family = "word vectors"
    load = staticmethod(lambda folder: Echo())
    request_schema = staticmethod(
        lambda limits: {
            "type": "object",
            "required": ["action"],
            "properties": {"action": one_of("vectors", "neighbors", description="what")(limits), "words": WORDS},
            "additionalProperties": False,
        }
    )
    response_schema = {"type": "object", "required": ["result"], "properties": {"result": {"type": "string"}}}
    example = {"action": "vectors", "words": ["好"]}


@pytest.fixture
def client(tmp_path):
    def make(start=True, keys=()):
        hashes = tuple(hashlib.sha256(key.encode()).hexdigest() for key in keys)
        models = {"test_openapi": Model(enabled=True, limits=Limits())}
        queue = Queue(longest_deadline_seconds=77)
        app = create_app(Settings(queue=queue, models=models, data=tmp_path, keys=Keys(hashes)), [Painter, Neighbours])
        if start:
            app.extensions["model_serving"].start()
        return app.test_client()

    return make


@pytest.fixture
def document(client):
    return client().get("/v1/openapi.json").get_json()


def resolved(document, part):
    """A part with its references followed."""
    while "$ref" in part:
        place = part["$ref"].removeprefix("#/").split("/")
        part = document
        for step in place:
            part = part[step]
    return part


def examples(document):
    """Each example with the schema beside it."""
    for path in document["paths"].values():
        for operation in path.values():
            bodies = [resolved(document, answer) for answer in operation["responses"].values()]
            for body in [*bodies, operation.get("requestBody", {})]:
                for content in body.get("content", {}).values():
                    if "example" in content:
                        yield resolved(document, content["schema"]), content["example"]


def test_the_document_of_unknown_families_is_valid_openapi(document):
    validate(document, cls=OpenAPIV31SpecValidator)


def test_the_document_of_the_served_models_is_valid_and_their_examples_fit(real_app):
    document = real_app.test_client().get("/v1/openapi.json").get_json()
    validate(document, cls=OpenAPIV31SpecValidator)
    found = list(examples(document))
    assert len(found) == 2 * len(real_app.extensions["model_serving"].models)
    for schema, example in found:
        jsonschema.validate(example, schema)


def test_the_schemas_are_the_very_ones_that_validate(client):
    client = client()
    schemas = client.get("/v1/openapi.json").get_json()["components"]["schemas"]
    card = client.get("/v1/Painter").get_json()
    assert schemas["PainterRequest"] == card["request_schema"]
    assert schemas["PainterResponse"] == card["response_schema"]
    jsonschema.validate(card, schemas["Card"])
    jsonschema.validate(client.get("/v1").get_json(), schemas["Models"])
    jsonschema.validate(client.post("/v1/Painter").get_json(), schemas["Failure"])


def test_a_model_is_told_with_its_words_its_example_and_its_other_media_types(document):
    post = document["paths"]["/v1/Painter"]["post"]
    assert (post["summary"], post["description"]) == ("Draw pictures.", "From noise (Nobody, 1999).")
    assert post["requestBody"]["content"]["application/json"]["example"] == {"count": 3, "truncation": 0.5}
    answer = post["responses"]["200"]["content"]
    assert set(answer) == {"application/json", "image/png"}
    assert answer["application/json"]["example"] == {"result": 3}
    assert [tag["name"] for tag in document["tags"]] == ["generators", "word vectors", "service"]


def test_every_failure_is_told_with_its_codes_and_headers(document):
    responses = document["paths"]["/v1/Painter"]["post"]["responses"]
    told = {status: resolved(document, response) for status, response in responses.items()}
    assert set(told) == {"200", "400", "413", "415", "500", "503", "504"}
    assert set(told["503"]["headers"]) == {"X-Request-ID", "Retry-After"}
    assert set(told["200"]["headers"]) == {"X-Request-ID", "X-Model-Version"}
    everywhere = json.dumps(list(document["components"]["responses"].values()))
    assert all(f'"{code}"' in everywhere for codes in FAILURES.values() for code in codes)
    validator = jsonschema.Draft202012Validator(
        {**told["503"]["content"]["application/json"]["schema"], "components": document["components"]}
    )
    failure = {"message": "Try again", "code": "busy", "request_id": "me"}
    assert validator.is_valid(failure)
    assert not validator.is_valid(failure | {"code": "internal"})
    assert not validator.is_valid(failure | {"more": 1})


def test_the_deadline_is_bounded_as_in_conf(document):
    schema = document["components"]["parameters"]["RequestTimeout"]["schema"]
    assert (schema["exclusiveMinimum"], schema["maximum"]) == (0, 77)


def test_keys_are_told_where_they_are_asked_for(client):
    client = client(keys=[KEY])
    assert client.get("/v1/openapi.json").status_code == 401
    document = client.get("/v1/openapi.json", headers={"X-API-Key": KEY}).get_json()
    validate(document, cls=OpenAPIV31SpecValidator)
    assert document["security"] == [{"key": []}, {"bearer": []}]
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert ("401" in operation["responses"]) == path.startswith("/v1"), path
            assert operation.get("security") == (None if path.startswith("/v1") else []), path
            assert client.get(path).status_code == (401 if path.startswith("/v1") else 200)


def test_there_is_no_document_before_the_models_are_warm(client, failed):
    response = client(start=False).get("/v1/openapi.json")
    failed(response, 503, "not_ready")
    assert response.headers["Retry-After"] == "1"


def test_every_path_told_is_there_and_every_path_there_is_told(client, document):
    routes = {rule.rule for rule in client().application.url_map.iter_rules()}
    pages = {"/", "/docs", "/_ah/warmup", "/static/<path:filename>"}
    assert routes - pages == set(document["paths"])


def test_the_browser_loads_nothing_from_another_host(client):
    client = client()
    page = client.get("/docs")
    assert "http" not in page.text
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "http" not in policy
    assert "unsafe" not in policy.replace("style-src 'self' 'unsafe-inline'", "")
    for part in page.text.split('"'):
        if part.startswith("/"):
            with client.get(part) as loaded:
                assert loaded.status_code == 200, part
