"""What the service counts and measures, as Prometheus asks for it at ``/metrics``.

Labels are bounded: models that are served, statuses that are answered, numbers of processes. Times are in seconds,
sizes in bytes.
"""

from collections.abc import Iterable
from functools import partial

from flask import Blueprint, Flask, Response, request
from prometheus_client import (
    CONTENT_TYPE_PLAIN_0_0_4,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Metric,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from model_serving.serving import processes, request_log
from model_serving.serving.batcher import Observer

PREFIX = "model_serving"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
ITEMS = (1, 2, 4, 8, 16, 32, 64, 128)

NO_MODEL = "-"
"""Stands for the model where a request runs none: cards, lists, health, preflights, unknown paths."""

# A time of birth a series, which would double them; in several processes they are left out anyway
disable_created_metrics()  # type: ignore[no-untyped-call]


class Families:
    """All that is counted in the processes, each a family of series with one for each model."""

    def __init__(self, registry: CollectorRegistry):
        counter = partial(Counter, labelnames=["model"], namespace=PREFIX, registry=registry)
        gauge = partial(Gauge, labelnames=["model"], namespace=PREFIX, registry=registry)
        histogram = partial(Histogram, labelnames=["model"], namespace=PREFIX, registry=registry, buckets=SECONDS)

        self.requests = counter("requests", "Requests answered", labelnames=["model", "status"])
        self.request_seconds = histogram("request_seconds", "From taking a request to its answer")
        self.rejected = counter("rejected", "Requests refused because too many wait: 503 busy")
        self.expired = counter("expired", "Requests whose deadline passed: 504 deadline")
        self.queue_depth = gauge("queue_depth", "Requests that wait to be run", multiprocess_mode="livesum")
        self.queue_seconds = histogram("queue_seconds", "How long requests waited until first taken into a batch")
        self.batch_items = histogram("batch_items", "Items run together", buckets=ITEMS)
        self.batch_seconds = counter("batch_seconds", "How long all batches ran")
        self.load_seconds = gauge("load_seconds", "How long loading the model took", multiprocess_mode="livemax")


class ModelMetrics(Observer):
    """The numbers of one model, told by its batcher as to an observer."""

    def __init__(self, families: Families, model: str):
        self._rejected = families.rejected.labels(model)
        self._expired = families.expired.labels(model)
        self._queue_depth = families.queue_depth.labels(model)
        self._queue_seconds = families.queue_seconds.labels(model)
        self._batch_items = families.batch_items.labels(model)
        self._batch_seconds = families.batch_seconds.labels(model)
        self._load_seconds = families.load_seconds.labels(model)
        self._depth = 0

    def loaded(self, seconds: float) -> None:
        """The model is there."""
        self._load_seconds.set(seconds)

    def waiting(self, jobs: int) -> None:
        """So many jobs wait now; often as many as before, and telling is cheaper than writing."""
        if jobs != self._depth:
            self._depth = jobs
            self._queue_depth.set(jobs)

    def taken(self, seconds: float) -> None:
        """A job goes into its first batch."""
        self._queue_seconds.observe(seconds)

    def ran(self, items: int, seconds: float) -> None:
        """A batch has run."""
        self._batch_items.observe(items)
        self._batch_seconds.inc(seconds)

    def refused(self) -> None:
        """There was no room for a job."""
        self._rejected.inc()

    def expired(self) -> None:
        """The deadline of a job passed."""
        self._expired.inc()


class Metrics:
    """The numbers of one application, made before its processes fork."""

    def __init__(self) -> None:
        registry = CollectorRegistry()
        self._families = Families(registry)
        self._models: dict[str, str] = {}
        self._answers: dict[tuple[str, int], Counter] = {}
        self._seconds: dict[str, Histogram] = {}
        self._exposed = registry
        if folder := processes.folder():
            self._exposed = CollectorRegistry()
            MultiProcessCollector(self._exposed, str(folder))  # type: ignore[no-untyped-call]
        self._exposed.register(Memory())
        self._begin(NO_MODEL)

    def of(self, model: str, href: str | None = None) -> ModelMetrics:
        """The numbers of a model that is served at ``href``, or of a queue that answers no requests by itself."""
        if href is not None:
            self._models[href] = model
            self._begin(model)
        return ModelMetrics(self._families, model)

    def install(self, app: Flask) -> None:
        """Count each answer of ``app``, whose requests have been given their time by ``request_log``."""
        app.after_request(self._count)

    def blueprint(self) -> Blueprint:
        """``/metrics``: the sums over all processes, and each one's memory, in Prometheus' text format."""
        routes = Blueprint("metrics", __name__)

        @routes.get("/metrics")
        def metrics() -> Response:
            return Response(generate_latest(self._exposed), content_type=CONTENT_TYPE_PLAIN_0_0_4)

        return routes

    def _begin(self, model: str) -> None:
        """Let the series of a model start at zero, so that their first increase is seen."""
        self._seconds[model] = self._families.request_seconds.labels(model)
        self._answer(model, 200)

    def _answer(self, model: str, status: int) -> Counter:
        key = (model, status)
        if key not in self._answers:
            self._answers[key] = self._families.requests.labels(*key)
        return self._answers[key]

    def _count(self, response: Response) -> Response:
        rule = request.url_rule
        model = self._models.get(rule.rule, NO_MODEL) if rule and request.method == "POST" else NO_MODEL
        self._answer(model, response.status_code).inc()
        self._seconds[model].observe(request_log.seconds())
        return response


class Memory:
    """Asks for each process' memory when it is asked itself."""

    def collect(self) -> Iterable[Metric]:
        """One family."""
        family = GaugeMetricFamily(f"{PREFIX}_memory_bytes", "Proportional set size of a process", labels=["process"])
        for name, size in processes.memory().items():
            family.add_metric([name], size)
        yield family
