"""The client against a server that answers as a test scripts it."""

import json
import socket
import threading
import time
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import pytest

import model_serving.client
from model_serving.client import Client, RefusedError, UnansweredError

GOOD = (200, {"result": {"echo": "好"}})
BUSY = (503, {"message": "Too many requests wait; try again", "code": "busy", "request_id": "x"})
BREAK = None


class Request(NamedTuple):
    command: str
    path: str
    headers: Message


class Scripted(ThreadingHTTPServer):
    """Gives its ``answers`` in turn, the last for ever: status and JSON, bytes as they are, or a broken connection."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = [GOOD]
        self.retry_after = "1"
        self.seconds = 0
        self.requests: list[Request] = []
        self.bodies = []
        self.ports = set()

    def handle_error(self, request, client_address):
        """A client that has left is no news."""

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Scripted

    def do_POST(self):
        server = self.server
        server.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        server.requests.append(Request(self.command, self.path, self.headers))
        server.ports.add(self.client_address)
        answer = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
        time.sleep(server.seconds)
        if answer is BREAK:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        status, body = answer
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        if status == 503 and server.retry_after:
            self.send_header("Retry-After", server.retry_after)
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        self.do_POST()

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server():
    with Scripted() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def waits(monkeypatch):
    """How long the client waits between tries, without doing so."""
    seconds: list[float] = []

    class Clock:
        sleep = staticmethod(seconds.append)

    monkeypatch.setattr(model_serving.client, "time", Clock)
    return seconds


@pytest.fixture
def connect(server):
    """Make a client of the server; it ends with the test."""
    made = []

    def make(**options):
        made.append(Client(server.url, **options))
        return made[-1]

    yield make
    for client in made:
        client.close()


def test_a_post_sends_fields_key_deadline_and_id_and_gives_the_result(server, connect):
    assert connect(key="secret", timeout=7).post("Scripted", text="好", n=1) == {"echo": "好"}
    (request,) = server.requests
    assert (request.command, request.path) == ("POST", "/v1/Scripted")
    assert server.bodies == ['{"text": "好", "n": 1}'.encode()]
    assert request.headers["Content-Type"] == "application/json"
    assert request.headers["X-API-Key"] == "secret"
    assert request.headers["X-Request-Timeout"] == "7"
    assert len(request.headers["X-Request-ID"]) == 32


def test_connections_are_kept(server, connect):
    client = connect()
    for _ in range(5):
        client.post("Scripted")
    assert len(server.ports) == 1


def test_cards_and_the_list_are_read(server, connect):
    server.answers = [(200, {"name": "Scripted"}), (200, {"models": [{"name": "Scripted"}]})]
    client = connect()
    assert client.card("Scripted") == {"name": "Scripted"}
    assert client.models() == [{"name": "Scripted"}]
    assert [(each.command, each.path) for each in server.requests] == [("GET", "/v1/Scripted"), ("GET", "/v1")]


def test_an_error_tells_code_path_and_request_id(server, connect):
    server.answers = [(400, {"message": "must be a string", "code": "schema", "request_id": "me", "path": "$.text"})]
    with pytest.raises(RefusedError) as caught:
        connect().post("Scripted", text=7)
    error = caught.value
    assert (error.status, error.code, error.path, error.request_id) == (400, "schema", "$.text", "me")
    assert str(error) == "must be a string at $.text (schema, request me)"
    assert len(server.requests) == 1


def test_busy_is_tried_again_no_sooner_than_asked_and_later_each_time(server, connect, waits):
    server.retry_after = "3"
    server.answers = [BUSY, BUSY, BUSY, GOOD]
    assert connect().post("Scripted") == GOOD[1]["result"]
    assert len(server.requests) == 4
    assert waits[0] == 3
    assert 3.5 <= waits[1] < 3.8
    assert 4 <= waits[2] < 4.3
    assert len({request.headers["X-Request-ID"] for request in server.requests}) == 1


def test_nobody_waits_for_ever(server, connect, waits):
    server.retry_after = "100000"
    server.answers = [BUSY, GOOD]
    connect().post("Scripted")
    assert waits == [60]


def test_the_last_refusal_is_told_after_all_tries(server, connect, waits):
    server.answers = [BUSY]
    with pytest.raises(RefusedError) as caught:
        connect(retries=2).post("Scripted")
    assert (caught.value.status, caught.value.code) == (503, "busy")
    assert len(server.requests) == 3
    with pytest.raises(RefusedError):
        connect(retries=0).post("Scripted")
    assert len(server.requests) == 4


def test_a_connection_that_breaks_is_tried_again(server, connect, waits):
    server.answers = [GOOD, BREAK, BREAK, GOOD]
    client = connect()
    assert [client.post("Scripted"), client.post("Scripted")] == [GOOD[1]["result"]] * 2
    assert len(server.requests) == 4


@pytest.mark.parametrize("status", [500, 504, 429, 413])
def test_no_other_failure_is_tried_again(server, connect, status):
    server.answers = [(status, {"message": "no", "code": "any", "request_id": "x"})]
    with pytest.raises(RefusedError):
        connect().post("Scripted")
    assert len(server.requests) == 1


def test_an_answer_that_does_not_come_is_waited_for_once(server, connect, monkeypatch):
    monkeypatch.setattr(model_serving.client, "TRANSFER_SECONDS", 0.1)
    server.seconds = 0.5
    with pytest.raises(UnansweredError, match="timed out"):
        connect(timeout=0.1).post("Scripted")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        (200, b"<html>"), (200, {"other": 1}), (200, [1]), (502, b"Bad gateway"), (404, {"detail": "no"}),
        (302, b""), (200, b"\xff"), (500, b"null"),
    ],
)  # fmt: skip
def test_another_service_is_told_from_this_one(server, connect, answer):
    server.answers = [answer]
    with pytest.raises(UnansweredError, match=rf"/v1/Scripted answered {answer[0]}, but not as this service does"):
        connect().post("Scripted")


def test_no_service_is_told_with_its_address(waits):
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with Client(f"http://127.0.0.1:{port}", retries=2) as client, pytest.raises(UnansweredError) as caught:
        client.post("Scripted")
    assert str(caught.value) == f"No answer from http://127.0.0.1:{port}/v1/Scripted: [Errno 111] Connection refused"
    assert len(waits) == 2


def test_what_is_no_json_is_not_sent(server, connect):
    with pytest.raises(ValueError, match="JSON"):
        connect().post("Scripted", n=float("nan"))
    assert not server.requests
