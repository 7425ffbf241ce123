"""The service as gunicorn runs it in production."""

import json
import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests

from model_serving.client import Client

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def service(serve):
    """The service as it is deployed, with the committed models."""
    return serve(WORKERS="1")


@pytest.fixture(scope="module")
def serve_faulty(serve):
    return lambda workers, *options: serve(
        "--pythonpath", "tests/processes", *options, "faulty_service:app", WORKERS=workers
    )


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


@pytest.mark.parametrize("pause", [0.005, 0.1])
def test_requests_that_follow_on_a_connection_are_answered(faulty, pause):
    """While the thread stays with it, and after it was given back."""
    address = urlsplit(faulty.url)
    with closing(HTTPConnection(address.hostname, address.port, timeout=10)) as connection:
        for _ in range(3):
            connection.request("POST", "/v1/Faulty", b'{"text": "a"}', {"Content-Type": "application/json"})
            response = connection.getresponse()
            assert (response.status, b"echo" in response.read()) == (200, True)
            time.sleep(pause)


def test_requests_sent_before_the_first_answer_are_answered(faulty):
    body = b'{"text": "a"}'
    head = (
        f"POST /v1/Faulty HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    address = urlsplit(faulty.url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall((head.encode() + body) * 3)
        seen = b""
        while seen.count(b"HTTP/1.1 200") < 3 or not seen.endswith(b"\n"):
            received = connection.recv(65536)
            assert received
            seen += received


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


def test_a_worker_that_stops_says_so_and_still_answers(serve_faulty, tmp_path, wait_until):
    server = serve_faulty("1")
    gate = tmp_path / "gate"
    address = urlsplit(server.url)
    connections = [HTTPConnection(address.hostname, address.port, timeout=10) for _ in range(20)]
    for connection in connections:
        connection.request("GET", "/healthz")
        connection.getresponse().read()

    def ask(method, path, body=None):
        with closing(connections.pop()) as connection:
            connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            response = connection.getresponse()
            return response.status, json.loads(response.read())

    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(tell, server, f"wait {gate}")
        wait_until(gate.with_suffix(".began").exists)
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: "Handling signal: term" in server.log.read_text())
        status, body = wait_until(lambda: (found := ask("GET", "/readyz"))[0] != 200 and found)
        assert (status, body["code"]) == (503, "draining")
        gate.touch()
        assert ask("POST", "/v1/Faulty", b'{"text": "a"}')[0] == 200
        assert answer.result().status_code == 200
    for connection in connections:
        connection.close()


def test_a_worker_whose_model_keeps_the_interpreter_lock_is_replaced(serve_faulty, wait_until):
    server = serve_faulty("2", "--timeout", "4")
    before = set(wait_until(lambda: len(found := server.workers()) == 2 and found))
    with ThreadPoolExecutor(1) as pool:
        blocked = pool.submit(tell, server, "block 60")
        wait_until(lambda: "WORKER TIMEOUT" in server.log.read_text())
        with pytest.raises(requests.ConnectionError):
            blocked.result()
    wait_until(lambda: len(left := set(server.workers()) - before) == 1 and left)
    assert len(set(server.workers()) & before) == 1
    assert tell(server, "hello").status_code == 200


def test_memory_that_does_not_allow_the_workers_means_fewer(serve_faulty, tmp_path):
    cramped = tmp_path / "gunicorn.conf.py"
    cramped.write_text(
        (ROOT / "conf" / "gunicorn.conf.py").read_text().replace("__file__", repr(str(ROOT / "conf" / "x.py")))
        + "\n\nWORKER_BYTES = 1 << 60\n"
    )
    server = serve_faulty("3", "-c", str(cramped))
    assert len(server.workers()) == 1
    assert "Memory allows 1 workers, not 3" in server.log.read_text()
