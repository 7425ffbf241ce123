"""What is counted and measured, read as Prometheus reads it, in one process; tests/processes has several."""

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from model_serving.utils.settings import Queue

SOON = 10.0
MIB = 1 << 20


@pytest.fixture
def gate(script):
    """Holds the model back until it is set; ``script`` is told by the items what to do otherwise."""
    gate = threading.Event()
    predict = type(script).predict

    def held(items, **options):
        assert gate.wait(SOON)
        return predict(script, items, **options)

    gate.hold = lambda: setattr(script, "predict", held)  # type: ignore[attr-defined]
    yield gate
    gate.set()
    vars(script).pop("predict", None)


def families(client):
    response = client.get("/metrics")
    assert response.status_code == 200
    return {family.name: family for family in text_string_to_metric_families(response.text)}


def read(client, name, **labels):
    """The value of one series, without the prefix that all have."""
    values = [
        sample.value
        for family in families(client).values()
        for sample in family.samples
        if sample.name == f"model_serving_{name}" and sample.labels == labels
    ]
    assert len(values) <= 1
    return values[0] if values else None


def grown(client, name, **labels):
    """A function that tells how much a series of the scripted model has grown since it was made."""
    before = read(client, name, model="Scripted", **labels) or 0
    return lambda: (read(client, name, model="Scripted", **labels) or 0) - before


def wait_until(condition):
    deadline = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_the_text_is_what_prometheus_reads(client):
    response = client.get("/metrics")
    assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    found = families(client)
    assert set(found) == {
        f"model_serving_{name}"
        for name in (
            "requests", "request_seconds", "rejected", "expired", "queue_depth", "queue_seconds", "batch_items",
            "batch_seconds", "load_seconds", "memory_bytes",
        )
    }  # fmt: skip
    for family in found.values():
        assert family.documentation
        assert family.type in ("counter", "gauge", "histogram")


def test_each_answer_is_counted_once_by_model_and_status(client, script):
    asked = {200: 3, 400: 2, 415: 1, 500: 1}
    counts = {status: grown(client, "requests_total", status=str(status)) for status in asked}
    timed = grown(client, "request_seconds_count")
    for _ in range(asked[200]):
        client.post("/v1/Scripted", json={"text": ["a", "b"]})
    client.post("/v1/Scripted", json={"text": "bad"})
    client.post("/v1/Scripted", json={})
    client.post("/v1/Scripted", data="a", content_type="text/plain")
    script.result = ValueError()
    client.post("/v1/Scripted", json={"text": "a"})
    assert {status: count() for status, count in counts.items()} == asked
    assert timed() == sum(asked.values())


def test_what_runs_no_model_is_counted_without_one_and_makes_no_new_series(client):
    def labels():
        return {
            sample.labels["model"]
            for family in families(client).values()
            for sample in family.samples
            if "model" in sample.labels
        }

    before = read(client, "requests_total", model="-", status="404") or 0
    asked = grown(client, "requests_total", status="200")
    size = len(client.get("/metrics").data)
    for number in range(50):
        client.post(f"/v1/{number}", json={})
        client.get(f"/{number}")
    client.get("/v1/Scripted")
    client.options("/v1/Scripted")
    client.put("/v1/Scripted")
    assert read(client, "requests_total", model="-", status="404") == before + 100
    assert read(client, "requests_total", model="-", status="405") == 1
    assert asked() == 0
    assert labels() == {"-", "Scripted", "long"}
    assert len(client.get("/metrics").data) < size + 500


def test_a_model_that_is_switched_off_is_no_label(make_app):
    client = make_app(enabled=False).test_client()
    client.post("/v1/Scripted", json={"text": "a"})
    assert read(client, "requests_total", model="-", status="404") == 1
    assert "Scripted" not in client.get("/metrics").text


def test_time_is_measured_in_seconds_from_request_to_answer(client, script):
    total, fast, all_ = (
        grown(client, "request_seconds_sum"),
        grown(client, "request_seconds_bucket", le="0.05"),
        grown(client, "request_seconds_bucket", le="+Inf"),
    )
    ran = grown(client, "batch_seconds_total")
    client.post("/v1/Scripted", json={"text": "a"})
    script.seconds = 0.06
    began = time.monotonic()
    client.post("/v1/Scripted", json={"text": "a"})
    seconds = time.monotonic() - began
    assert (fast(), all_()) == (1, 2)
    assert 0.06 <= ran() <= total() < seconds + 0.05


def test_batches_and_queues_are_measured(make_app, gate):
    app = make_app()
    client = app.test_client()
    batches, items = grown(client, "batch_items_count"), grown(client, "batch_items_sum")
    jobs, waited = grown(client, "queue_seconds_count"), grown(client, "queue_seconds_sum")
    gate.hold()

    def ask(texts):
        return app.test_client().post("/v1/Scripted", json={"text": texts}).status_code

    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(ask, ["a"])]
        wait_until(lambda: jobs() == 1)
        for depth, texts in enumerate((["b"], ["c", "d"], ["e", "f", "g"]), start=1):
            answers.append(pool.submit(ask, texts))
            wait_until(lambda depth=depth: read(client, "queue_depth", model="Scripted") == depth)
        time.sleep(0.05)
        gate.set()
        assert {answer.result() for answer in answers} == {200}
    wait_until(lambda: read(client, "queue_depth", model="Scripted") == 0)
    assert (batches(), items(), jobs()) == (2, 7, 4)
    assert 3 * 0.05 <= waited() < SOON


def test_refusals_and_deadlines_are_counted(make_app, gate):
    app = make_app(queue=Queue(waiting_per_worker=1))
    client = app.test_client()
    rejected, expired = grown(client, "rejected_total"), grown(client, "expired_total")
    busy, late = grown(client, "requests_total", status="503"), grown(client, "requests_total", status="504")
    taken = grown(client, "queue_seconds_count")
    gate.hold()
    with ThreadPoolExecutor(1) as pool:
        headers = {"X-Request-Timeout": "1"}
        answer = pool.submit(lambda: app.test_client().post("/v1/Scripted", json={"text": "a"}, headers=headers))
        wait_until(lambda: taken() == 1)
        assert [client.post("/v1/Scripted", json={"text": "b"}).status_code for _ in range(2)] == [503, 503]
        assert answer.result().status_code == 504
    assert rejected() == busy() == 2
    assert expired() == late() == 1


def test_loading_and_memory_are_told(client):
    assert 0 < read(client, "load_seconds", model="Scripted") < SOON
    told = read(client, "memory_bytes", process="master")
    smaps = Path("/proc/self/smaps").read_text()
    counted = sum(int(kib) * 1024 for kib in re.findall(r"^Pss: +(\d+) kB", smaps, re.MULTILINE))
    assert told == pytest.approx(counted, abs=16 * MIB)


def test_a_kernel_that_tells_no_sizes_is_no_failure(client, monkeypatch):
    def read_text(path, **keywords):
        raise PermissionError

    monkeypatch.setattr(Path, "read_text", read_text)
    assert read(client, "memory_bytes", process="master") is None
    assert read(client, "load_seconds", model="Scripted") is not None
