"""The service as gunicorn runs it in production."""

import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from model_serving.client import Client


@pytest.fixture(scope="module")
def service(serve):
    """The service as it is deployed, with the committed models."""
    return serve(WORKERS="1")


@pytest.fixture(scope="module")
def serve_faulty(serve):
    return lambda workers: serve("--pythonpath", "tests/processes", "faulty_service:app", WORKERS=workers)


@pytest.fixture(scope="module")
def faulty(serve_faulty):
    """Two workers around a model that does as it is told."""
    return serve_faulty("2")


def tell(server, text, **headers):
    return server.post("/v1/Faulty", json={"text": text}, headers=headers)


def test_a_post_is_answered(service):
    with Client(service.url) as client:
        result = client.post("BiLSTMCRF", text="江泽民在北京会见了克林顿。", task="pos")
    assert "".join(token["text"] for token in result["tokens"]) == "江泽民在北京会见了克林顿。"


@pytest.mark.parametrize("path", ["/nothing", "/v1/Nothing", "/v1/BiLSTMCRF/", "/%00"])
def test_a_wrong_path_is_a_json_404(service, path):
    for response in (service.get(path), service.post(path, json={})):
        assert response.status_code == 404
        assert response.json()["code"] == "not_found"


def test_our_failure_is_a_constant_json_500_and_its_reason_is_in_the_log(faulty):
    response = tell(faulty, "fail", **{"X-Request-ID": "find-me"})
    assert response.status_code == 500
    assert response.json() == {
        "message": "The service failed; the request id finds the reason in its log",
        "code": "internal",
        "request_id": "find-me",
    }
    log = faulty.log.read_text()
    assert "Request find-me failed" in log
    assert "RuntimeError: a secret" in log


def test_two_workers_share_nothing_of_a_request(faulty):
    def ask(number):
        response = tell(faulty, f"text {number}", **{"X-Request-ID": f"id-{number}"})
        assert response.json()["result"]["echo"] == f"text {number}"
        assert response.headers["X-Request-ID"] == f"id-{number}"
        return response.json()["result"]["worker"]

    with ThreadPoolExecutor(16) as pool:
        answered_by = set(pool.map(ask, range(200)))
    assert answered_by == set(faulty.workers())


def test_a_killed_worker_is_replaced_and_the_others_serve_on(faulty, wait_until):
    victim, other = faulty.workers()
    os.kill(victim, signal.SIGKILL)

    def answered_by_a_new_one():
        response = tell(faulty, "hello")
        assert response.status_code == 200
        return response.json()["result"]["worker"] not in (victim, other)

    wait_until(answered_by_a_new_one)
    assert len(faulty.workers()) == 2
    assert f"Worker (pid:{victim}) was sent SIGKILL" in faulty.log.read_text()


def test_a_stop_finishes_the_running_request_and_frees_the_port(serve_faulty, tmp_path, wait_until):
    server = serve_faulty("1")
    gate = tmp_path / "gate"
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(tell, server, f"wait {gate}")
        wait_until(gate.with_suffix(".began").exists)
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: "Handling signal: term" in server.log.read_text())
        gate.touch()
        assert answer.result().status_code == 200
    assert server.process.wait(30) == 0
    address = urlsplit(server.url)
    socket.create_server((address.hostname, address.port)).close()
