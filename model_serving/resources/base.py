"""What every model's resource has in common: validate, run, answer, and the card."""

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from flask import Request, Response, request

from model_serving.models import artifact
from model_serving.models.errors import InputError
from model_serving.serving import callers
from model_serving.serving.batcher import NOBODY, Batcher, Observer
from model_serving.serving.errors import ServiceError
from model_serving.serving.reader import read_object, read_query
from model_serving.serving.restful import Resource
from model_serving.serving.validation import Validator
from model_serving.serving.writer import json_response
from model_serving.utils.settings import Limits, Settings

JSON = "application/json"


@dataclass(frozen=True)
class Work:
    """What a request asks of its model: ``predict(items, **options)``.

    ``field`` is where the items stand in the body, for errors to point at; ``single`` that it holds one and no list;
    ``long`` that it takes seconds, so that it goes to the lane of long requests and not before the model's others.
    """

    items: list[Any]
    options: dict[str, Any]
    field: str
    single: bool = False
    long: bool = False

    def path(self, place: int) -> str:
        """Where item number ``place`` stands."""
        return f"$.{self.field}" if self.single else f"$.{self.field}[{place}]"


class ModelResource(Resource):
    """``POST /v1/<Model>`` runs the model, ``GET /v1/<Model>`` shows its card.

    A model whose results have another media type than JSON also runs for a GET with the fields in its query, so that
    ``<img src="...">`` shows them.

    A subclass declares and does nothing; the first line of its docstring is its summary. What lives as long as the
    process, the model above all, is in ``served``; the resource itself lives for one request.
    """

    family: ClassVar[str]
    load: "ClassVar[staticmethod[[Path], Any]]"
    """Makes the served model from its folder under ``data/``: an object with ``predict(items, **options)``."""
    request_schema: "ClassVar[staticmethod[[Limits], dict[str, Any]]]"
    response_schema: ClassVar[dict[str, Any]]
    example: ClassVar[dict[str, Any]]
    """A request body, answered in the card and used to warm the model up."""
    further_limits: ClassVar[Mapping[str, int]] = {}
    """What else bounds a request beside the limits of conf, for the card."""
    representations: ClassVar[Mapping[str, Callable[[Any], Response]]] = {}
    """What writes a result in another media type than JSON, for callers whose ``Accept`` prefers it."""

    def __init__(self, served: "ServedModel"):
        self.served = served

    def post(self) -> Response:
        """Answer one request."""
        return self._run(read_object)

    def get(self) -> Response:
        """Show the card, or answer the query."""
        if self.representations and request.args:
            return self._run(lambda asked: read_query(asked, self.served.request_schema["properties"]))
        return self._respond(json_response(self.served.card))

    def _run(self, read: Callable[[Request], dict[str, Any]]) -> Response:
        queue = self.served.queue
        deadline = callers.deadline(request, queue.deadline_seconds, queue.longest_deadline_seconds)
        body = read(request)
        result = self.served.answer(body, deadline, callers.gone(request))
        return self._respond(self._write(result))

    def _write(self, result: Any) -> Response:
        if self.representations:
            wanted = request.accept_mimetypes.best_match([JSON, *self.representations]) or JSON
            if wanted != JSON:
                return self.representations[wanted](result)
        return json_response({"result": result})

    def _respond(self, response: Response) -> Response:
        response.headers["X-Model-Version"] = self.served.version
        return response

    @classmethod
    def split(cls, field: str, body: dict[str, Any]) -> Work:
        """Take a valid body apart; here the items stand in the required field, alone or in a list.

        Args:
            field: the required one.
            body: with the defaults of the fields left out; a field with neither value nor default is absent.

        Raises:
            ServiceError: 400 ``input`` for what a schema can not say.
        """
        given = body[field]
        options = {name: value for name, value in body.items() if name != field}
        return Work(given, options, field) if isinstance(given, list) else Work([given], options, field, single=True)

    @classmethod
    def join(cls, work: Work, results: list[Any]) -> Any:
        """Put the results of a work together, one an item in their order; here one for a single item, else a list."""
        return results[0] if work.single else results

    @classmethod
    def slug(cls) -> str:
        """The name of its module, of ``conf/<slug>.conf`` and ``data/<slug>/``."""
        return cls.__module__.rpartition(".")[2]

    @classmethod
    def href(cls) -> str:
        """Its path in the URL."""
        return f"/v1/{cls.__name__}"

    @classmethod
    def summary(cls) -> str:
        """The first line of its docstring."""
        return (cls.__doc__ or "").partition("\n")[0]


class ServedModel:
    """A declared model brought to life: loaded, with its validator built, its limits known and its queue.

    Args:
        resource: the declaration.
        settings: its own under ``models``, and where the artifacts are.
        capacity: room for the requests of all models of this process together.
        observer: hears what happens to its requests.
        lane: where its long requests go; started by whom it belongs to.

    Raises:
        ArtifactError: the model can not be loaded.
    """

    def __init__(
        self,
        resource: type[ModelResource],
        settings: Settings,
        capacity: threading.Semaphore,
        observer: Observer = NOBODY,
        lane: Batcher | None = None,
    ):
        self.resource = resource
        self.name = resource.__name__
        self.limits = settings.models[resource.slug()].limits
        self.log = logging.getLogger(self.name)
        self.log.info("Initializing ...")
        folder = settings.data / resource.slug()
        self.queue = settings.queue
        self.model = resource.load(folder)
        self.lane = lane
        self.batcher = Batcher(
            self.model,
            self.name,
            most_waiting=self.queue.waiting_per_model,
            capacity=capacity,
            most_cost=self.queue.batch_cost,
            observer=observer,
        )
        self.variants = artifact.cards(folder)
        self.version = _version(self.variants)
        self.request_schema = resource.request_schema(self.limits)
        self.validator = Validator(self.request_schema)
        (self.field,) = self.request_schema["required"]
        properties = self.request_schema["properties"]
        self._defaults = {name: part["default"] for name, part in properties.items() if "default" in part}
        self._integers = [name for name, part in properties.items() if part.get("type") == "integer"]
        self.card: dict[str, Any] = {}

    def answer(self, body: dict[str, Any], deadline: float, gone: Callable[[], bool] = lambda: False) -> Any:
        """The result for a request body.

        Args:
            body: what was read of the request.
            deadline: when to give up, on the clock of ``time.monotonic``.
            gone: whether the caller has left.

        Raises:
            ServiceError: 400 ``schema`` or ``input``, 503 ``busy``, 504 ``deadline``.
        """
        self.validator.check(body)
        work = self._split(body)
        self._check_total(work)
        results = self._run(work, deadline, gone) if work.items else []
        for place, result in enumerate(results):
            if isinstance(result, InputError):
                raise ServiceError(400, "input", str(result), work.path(place))
        return self.resource.join(work, results)

    def _split(self, body: dict[str, Any]) -> Work:
        """A valid body taken apart, defaults filled in; 4.0 is an integer to JSON Schema, and 4 to models."""
        whole = self._defaults | body
        for name in self._integers:
            if name in whole:
                whole[name] = int(whole[name])
        return self.resource.split(self.field, whole)

    def _run(self, work: Work, deadline: float, gone: Callable[[], bool]) -> list[Any]:
        if work.long and self.lane:
            options = work.options | {"model": self.model}
            return self.lane.run(work.items, options, deadline=deadline, gone=gone)
        return self.batcher.run(work.items, work.options, deadline=deadline, gone=gone)

    def healthy(self) -> bool:
        """Whether its queue is served: a run that outlasts the longest deadline will not come back."""
        return self.batcher.healthy(self.queue.longest_deadline_seconds)

    def start(self) -> None:
        """Start the queue and run the example, alone and as a small batch, so that no caller pays for first times."""
        self.batcher.start()
        example = self.resource.example
        deadline = time.monotonic() + self.queue.longest_deadline_seconds
        self.card = self._describe(self.answer(example, deadline))
        work = self._split(example)
        self.batcher.run(work.items * min(8, self.limits.items), work.options, deadline=deadline)

    def _describe(self, result: Any) -> dict[str, Any]:
        """The card: what the model is, knows and accepts, and its example with its ``result``."""
        cards = list(self.variants.values())
        return {
            "name": self.name,
            "family": self.resource.family,
            "summary": self.resource.summary(),
            "paper": cards[0]["paper"] if cards else None,
            "variants": list(self.variants),
            "data": [source for card in cards for source in card["data"]],
            "metrics": [metric for card in cards for metric in card["metrics"]],
            "version": self.version,
            "limits": {**vars(self.limits), **self.resource.further_limits},
            "request_schema": self.request_schema,
            "response_schema": self.resource.response_schema,
            "example": {"request": self.resource.example, "response": {"result": result}},
        }

    def _check_total(self, work: Work) -> None:
        total = _characters(work.items)
        if total > self.limits.request_characters:
            message = f"must have at most {self.limits.request_characters} characters in all, not {total}"
            raise ServiceError(400, "input", message, f"$.{work.field}")


def _characters(item: Any) -> int:
    """How many there are in the texts of an item, or of a list of such."""
    if isinstance(item, str):
        return len(item)
    return sum(map(_characters, item)) if isinstance(item, (list, tuple)) else 0


def _version(variants: dict[str, dict[str, Any]]) -> str:
    """Twelve digits that change with any file of any variant."""
    digests = [digest for card in variants.values() for digest in card["files"].values()]
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:12]
