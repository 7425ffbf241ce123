"""Shared fixtures: an application around a scripted model, and the real one once a session."""

import json
import logging
import time
from dataclasses import dataclass, field

import pytest
from flask import Response
from hypothesis import settings as hypothesis_settings

from model_serving.app import create_app
from model_serving.models.errors import InputError
from model_serving.resources import RESOURCES
from model_serving.resources.base import ModelResource
from model_serving.resources.schemas import flag, object_of, one_of, texts
from model_serving.utils import settings
from model_serving.utils.settings import Limits, Model, Settings

hypothesis_settings.register_profile("house", deadline=None)  # no test depends on the clock
hypothesis_settings.load_profile("house")


@dataclass
class ScriptedModel:
    """Echoes its items, unless told to do something worse."""

    calls: list[object] = field(default_factory=list)
    result: object = None
    seconds: float = 0

    def cost(self, item):
        return len(item)

    def predict(self, items, **options):
        self.calls.append((items, options))
        time.sleep(self.seconds)
        if isinstance(self.result, BaseException):
            raise self.result
        if self.result is not None:
            return self.result
        return [InputError("is not to my taste") if item == "bad" else {"echo": item} for item in items]


SCRIPT = ScriptedModel()


class Scripted(ModelResource):
    """Answer what the test says."""

    family = "tests"
    load = staticmethod(lambda folder: SCRIPT)
    request_schema = staticmethod(
        object_of("text", text=texts("a text"), mood=one_of("calm", "wild", description="a mood"), loud=flag("loud"))
    )
    response_schema = {"type": "object"}
    example = {"text": "hello"}
    representations = {"text/csv": lambda result: Response(result["echo"], mimetype="text/csv")}

    @classmethod
    def slug(cls):
        return "scripted"


@pytest.fixture
def script():
    vars(SCRIPT).update(vars(ScriptedModel()))
    return SCRIPT


@pytest.fixture
def make_app(script, tmp_path):
    """Build an application around the scripted model; keywords replace settings."""

    def make(start=True, **changes):
        limits = changes.pop("limits", Limits(body_bytes=8192, items=3, item_characters=100, request_characters=150))
        models = {"scripted": Model(changes.pop("enabled", True), limits)}
        app = create_app(Settings(limits=limits, models=models, data=tmp_path, **changes), [Scripted])
        app.config["PROPAGATE_EXCEPTIONS"] = False
        if start:
            app.extensions["model_serving"].start()
        script.calls.clear()
        return app

    return make


@pytest.fixture
def client(make_app):
    return make_app().test_client()


@pytest.fixture
def post(client):
    """Post raw bytes or a value as JSON to the scripted model."""

    def send(body, content_type="application/json", **headers):
        data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.post("/v1/Scripted", data=data, content_type=content_type, headers=named)

    return send


@pytest.fixture(scope="session")
def failed():
    """Check that a response is the contract's error object, and give it."""

    def check(response, status, code):
        assert response.status_code == status
        assert response.mimetype == "application/json"
        assert len(response.data) <= 1024
        body = response.get_json()
        assert set(body) <= {"message", "code", "request_id", "path"}
        assert body["code"] == code
        assert body["request_id"] == response.headers["X-Request-ID"]
        assert "\n" not in body["message"]
        return body

    return check


@pytest.fixture(scope="session")
def real_app():
    """The application as it is served, its committed models loaded and warm."""
    app = create_app(settings.load(models=[resource.slug() for resource in RESOURCES], environment={}))
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.extensions["model_serving"].start()
    return app


@pytest.fixture(autouse=True)
def _quiet_logs():
    logging.getLogger().setLevel(logging.INFO)
