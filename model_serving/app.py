"""The Flask application: models loaded, routes laid, nothing running yet."""

import codecs
import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from flask import Blueprint, Flask, Response
from flask_cors import CORS

from model_serving.resources import RESOURCES, openapi
from model_serving.resources.base import ModelResource, ServedModel
from model_serving.serving import errors, health, keys, lane, pages, request_log
from model_serving.serving.batcher import Batcher
from model_serving.serving.errors import ServiceError
from model_serving.serving.metrics import Metrics
from model_serving.serving.restful import Api
from model_serving.serving.writer import dumps, json_response
from model_serving.utils.settings import Cors, Settings

log = logging.getLogger("service")


class Service:
    """The models of one process and whether they are ready; kept as ``app.extensions["model_serving"]``.

    ``openapi`` describes them as JSON once they are started; ``draining`` says that the process is stopping: what
    still comes is answered, but more should go elsewhere.
    """

    def __init__(self, models: Sequence[ServedModel], settings: Settings, lane: Batcher):
        self.models = models
        self.lane = lane
        self.openapi = ""
        self.draining = False
        self._settings = settings
        self._started = False

    def ready(self) -> bool:
        """Whether every model is warm and healthy."""
        longest = self._settings.queue.longest_deadline_seconds
        return self._started and self.lane.healthy(longest) and all(model.healthy() for model in self.models)

    def start(self) -> None:
        """Start and warm every model; once in each worker, after the fork."""
        self.lane.start()
        for model in self.models:
            model.start()
        self.openapi = dumps(openapi.document(self.models, self._settings))
        self._started = True
        log.info("Ready: %s", ", ".join(model.name for model in self.models) or "no model is switched on")


class Application(Flask):
    """Flask without coroutines, so that it need not look for them at each request."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function as it is."""
        return func


def create_app(settings: Settings, resources: Iterable[type[ModelResource]] = RESOURCES) -> Flask:
    """Load the models that are switched on and lay the routes; ``Service.start`` makes the app ready.

    Raises:
        ArtifactError: a model can not be loaded.
    """
    torch.set_num_threads(1)
    app = Application(__name__)
    app.config["MAX_CONTENT_LENGTH"] = settings.limits.body_bytes
    app.url_map.merge_slashes = False
    errors.install(app)
    request_log.install(app)
    pages.install(app)
    metrics = Metrics()
    metrics.install(app)
    keys.install(app, settings.keys.sha256)
    _allow_origins(app, settings.cors)
    api = Api(app)
    capacity = threading.Semaphore(settings.queue.waiting_per_worker)
    long = lane.lane(settings.queue.waiting_long, metrics.of(lane.NAME))
    models = []
    for resource in resources:
        if settings.models[resource.slug()].enabled:
            models.append(_load(resource, settings, capacity, metrics, long))
            api.add_resource(resource, resource.href(), resource_class_args=(models[-1],))
        else:
            app.add_url_rule(resource.href(), resource.__name__, _switched_off(resource), methods=["GET", "POST"])
    service = Service(models, settings, long)
    app.extensions["model_serving"] = service
    app.register_blueprint(health.blueprint(service.ready, lambda: service.draining))
    app.register_blueprint(metrics.blueprint())
    app.register_blueprint(_lists(models))
    app.register_blueprint(_documents(service))
    for codec in ("idna", "utf-8-sig", "unicode_escape"):
        codecs.lookup(codec)  # the first request would load them
    return app


def _load(
    resource: type[ModelResource],
    settings: Settings,
    capacity: threading.Semaphore,
    metrics: Metrics,
    long: Batcher,
) -> ServedModel:
    numbers = metrics.of(resource.__name__, resource.href())
    began = time.monotonic()
    model = ServedModel(resource, settings, capacity, numbers, long)
    numbers.loaded(time.monotonic() - began)
    return model


def _allow_origins(app: Flask, cors: Cors) -> None:
    """Let pages of the origins in conf read every answer, errors too; never with credentials."""
    CORS(
        app,
        resources=r"/.*",
        origins="*" if cors.origins == ("*",) else list(cors.origins),
        methods=["GET", "POST"],
        expose_headers=["X-Request-ID", "X-Model-Version", "Retry-After"],
        send_wildcard=True,
        supports_credentials=False,
        max_age=600,
    )
    if cors.origins != ("*",):

        @app.after_request
        def vary(response: Response) -> Response:
            """Flask-CORS leaves this out for a list of one, though a cache would serve one origin's answer to all."""
            response.vary.add("Origin")
            return response


def _switched_off(resource: type[ModelResource]) -> Callable[[], Response]:
    def view() -> Response:
        raise ServiceError(
            404, "not_found", f"{resource.__name__} is switched off by enabled = no in its {resource.slug()}.conf"
        )

    return view


def _lists(models: Sequence[ServedModel]) -> Blueprint:
    """``GET /v1`` for programs and ``GET /`` for people."""
    routes = Blueprint("lists", __name__)
    entries = [
        {"name": m.name, "family": m.resource.family, "summary": m.resource.summary(), "href": m.resource.href()}
        for m in models
    ]

    @routes.get("/v1")
    def index() -> Response:
        return json_response({"models": entries})

    @routes.get("/")
    def page() -> Response:
        return pages.page(entries)

    return routes


def _documents(service: Service) -> Blueprint:
    """``GET /v1/openapi.json`` for programs and ``GET /docs``, which renders it, for people."""
    routes = Blueprint("documents", __name__)

    @routes.get(openapi.PATH)
    def document() -> Response:
        if not service.openapi:
            raise health.not_ready()
        return Response(service.openapi, mimetype="application/json")

    @routes.get("/docs")
    def browser() -> Response:
        return pages.browser()

    return routes
