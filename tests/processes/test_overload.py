"""A real server when the model is slow, does not come back, or more is asked than it can do."""

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest


@pytest.fixture
def serve_faulty(serve):
    return lambda **environment: serve("--pythonpath", "tests/processes", "faulty_service:app", **environment)


@pytest.fixture
def server(serve_faulty):
    return serve_faulty(WORKERS="1")


@pytest.fixture
def hold(server, tmp_path, wait_until):
    """Keep the model busy from now on; gives what lets it go."""
    gate = tmp_path / "gate"
    with ThreadPoolExecutor(1) as pool:
        held = pool.submit(tell, server, f"wait {gate}")
        wait_until(gate.with_suffix(".began").exists)
        yield gate.touch
        gate.touch()
        assert held.result().status_code == 200


def tell(server, text, **headers):
    return server.post("/v1/Faulty", json={"text": text}, headers=headers)


def test_a_full_queue_refuses_the_rest_and_recovers(server, hold, wait_until):
    with ThreadPoolExecutor(120) as pool:
        futures = [pool.submit(tell, server, "hello") for _ in range(120)]
        refused = wait_until(lambda: len(done := [f.result() for f in futures if f.done()]) == 120 - 64 and done)
        for response in refused:
            assert (response.status_code, response.json()["code"]) == (503, "busy")
            assert response.headers["Retry-After"] == "1"
        hold()
        assert sorted(future.result().status_code for future in futures) == [200] * 64 + [503] * 56
    assert tell(server, "hello").status_code == 200


def test_a_request_whose_client_has_left_is_not_run(server, hold, tmp_path):
    address, trace = urlsplit(server.url), tmp_path / "trace"
    body = b'{"text":"wait %s"}' % str(trace).encode()
    head = b"POST /v1/Faulty HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall(head % len(body) + body)
        time.sleep(0.5)
    hold()
    assert tell(server, "hello").status_code == 200
    assert not trace.with_suffix(".began").exists()


def test_a_model_that_does_not_come_back_costs_its_callers_the_deadline_and_the_worker_leaves(
    serve_faulty, tmp_path, wait_until
):
    server = serve_faulty(WORKERS="1", LONGEST_SECONDS="2")
    (victim,) = server.workers()
    began = time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        stuck = pool.submit(tell, server, f"wait {tmp_path / 'never'}", **{"X-Request-Timeout": "1"})
        wait_until((tmp_path / "never.began").exists)  # or the other may come before it, and be answered
        behind = pool.submit(tell, server, "hello", **{"X-Request-Timeout": "1"})
        for response in (stuck.result(), behind.result()):
            assert (response.status_code, response.json()["code"]) == (504, "deadline")
    assert time.monotonic() - began < 3
    wait_until(lambda: victim not in server.workers() and len(server.workers()) == 1)
    assert tell(server, "hello").status_code == 200
    assert "does not come back" in server.log.read_text()
