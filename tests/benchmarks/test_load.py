"""The load generator against a server whose every answer is scripted."""

import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import load

BODY = '{"text": "好"}'.encode()


class Handler(BaseHTTPRequestHandler):
    """Answers as its server says, and keeps what it was sent."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        server = self.server
        assert isinstance(server, Scripted)
        server.seen.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
        server.clients.add(self.client_address)
        time.sleep(server.seconds(len(server.seen)))
        self.send_response(server.status)
        self.send_header("Content-Length", "2")
        if server.closes:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


class Scripted(ThreadingHTTPServer):
    """A server on a free port; ``seconds`` says how long the answer to the n-th request takes."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen = []
        self.clients = set()
        self.status = 200
        self.closes = False
        self.seconds = lambda number: 0.005


@pytest.fixture
def server():
    with Scripted() as scripted:
        thread = threading.Thread(target=scripted.serve_forever, args=(0.01,))
        thread.start()
        yield scripted
        scripted.shutdown()
        thread.join()


@pytest.fixture
def requests():
    return [load.request("/one", BODY), load.request("/two", BODY)]


def test_a_closed_loop_keeps_each_connection_busy(server, requests):
    reading = load.closed(server.server_port, requests, connections=4, seconds=0.4)
    assert reading.answers == len(server.seen)
    assert len(server.clients) == 4
    assert reading.errors == 0
    assert 5 <= reading.p50 <= reading.p99
    assert reading.answers - 4 <= reading.requests_per_second * 0.4 <= reading.answers
    assert 4 < reading.answers <= 4 * 0.4 / 0.005 + 4


def test_requests_are_sent_whole_and_in_turn(server, requests):
    load.closed(server.server_port, requests, connections=1, seconds=0.1)
    assert server.seen[:3] == [("/one", BODY), ("/two", BODY), ("/one", BODY)]


def test_a_closed_connection_is_opened_again(server, requests):
    server.closes = True
    reading = load.closed(server.server_port, requests, connections=2, seconds=0.2)
    assert reading.errors == 0
    assert len(server.clients) == reading.answers > 10


def test_another_status_is_an_error(server, requests):
    server.status = 503
    reading = load.closed(server.server_port, requests, connections=2, seconds=0.1)
    assert reading.errors == len(server.seen) > 0
    assert (reading.answers, reading.requests_per_second) == (0, 0)


def test_an_open_loop_keeps_to_its_schedule(server, requests):
    reading = load.opened(server.server_port, requests, rate=100, seconds=0.5)
    assert len(server.seen) == reading.answers == 50
    assert reading.errors == 0
    assert 5 <= reading.p50 < 50


def test_an_open_loop_counts_the_wait_that_one_pause_gives_to_others(server, requests):
    """A pause of 300 ms in a server that answers one at a time delays the 30 requests due in it."""
    turn = threading.Lock()

    def one_at_a_time(number):
        with turn:
            time.sleep(0.3 if number == 10 else 0)
        return 0

    server.seconds = one_at_a_time
    opened = load.opened(server.server_port, requests, rate=100, seconds=1)
    server.seen.clear()
    closed = load.closed(server.server_port, requests, connections=1, seconds=1)
    assert closed.p99 < 100 < 250 < opened.p99


def test_no_answer_is_an_error(monkeypatch, requests):
    monkeypatch.setattr(load, "PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        reading = load.closed(deaf.getsockname()[1], requests, connections=3, seconds=0.1)
    assert (reading.answers, reading.errors) == (0, 3)


@given(st.lists(st.floats(0, 1e6), min_size=1), st.sampled_from([0.5, 0.99, 1.0]))
def test_percentile_is_the_nearest_rank(values, share):
    assert load.percentile(values, share) == np.percentile(values, 100 * share, method="inverted_cdf")
