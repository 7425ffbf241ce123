"""What a hostile or broken client can put on the wire, against a real server, byte by byte."""

import socket
import time
from urllib.parse import urlsplit

import pytest

POST = b"POST /v1/Faulty HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
GOOD = b'{"text":"hello"}'
SIZED = POST + b"Content-Length: %d\r\n\r\n" % len(GOOD) + GOOD


@pytest.fixture(scope="module")
def server(serve):
    """One worker around the faulty model, which wants a request within two seconds."""
    return serve("--pythonpath", "tests/processes", "faulty_service:app", WORKERS="1", READ_SECONDS="2")


@pytest.fixture
def talk(server):
    """Send bytes and read until the server closes, or for as long as it may take."""
    address = urlsplit(server.url)

    def send(*pieces, seconds=10.0, pause=0.0):
        with socket.create_connection((address.hostname, address.port), timeout=seconds) as connection:
            for piece in pieces:
                connection.sendall(piece)
                time.sleep(pause)
            received = b""
            try:
                while piece := connection.recv(65536):
                    received += piece
            except TimeoutError:
                pass
            return received

    return send


@pytest.fixture(autouse=True)
def _alive(server):
    """After every case a plain request is answered at once, by the same worker, and the log holds no new traceback."""
    workers, log = server.workers(), server.log.read_text()
    yield
    began = time.monotonic()
    assert server.post("/v1/Faulty", json={"text": "hello"}).status_code == 200
    assert time.monotonic() - began < 1
    assert server.workers() == workers
    assert "Traceback" not in server.log.read_text()[len(log) :]


def chunked(*lines):
    return POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(lines)


def answers(received):
    """The status of each answer in what was received."""
    return [int(part.split(b" ", 1)[0]) for part in received.split(b"HTTP/1.1 ")[1:]]


CLOSE = b"Connection: close\r\n"


def test_a_chunked_body_is_read(talk):
    whole = chunked(b"%x\r\n%s\r\n0\r\n\r\n" % (len(GOOD), GOOD)).replace(b"\r\n", b"\r\n" + CLOSE, 1)
    received = talk(whole)
    assert answers(received) == [200]
    assert b'"echo":"hello"' in received


@pytest.mark.parametrize(
    "body",
    [
        b"zz\r\nabc\r\n0\r\n\r\n",
        b"0x1\r\na\r\n0\r\n\r\n",
        b"-1\r\na\r\n0\r\n\r\n",
        b"3;a\nb\r\nabc\r\n0\r\n\r\n",
        b"3\r\nabcdef\r\n0\r\n\r\n",
    ],
)
def test_a_malformed_chunk_is_one_json_400_and_the_end_of_the_connection(talk, body):
    received = talk(chunked(body))
    assert answers(received) == [400]
    assert b"application/json" in received


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 16\r\nTransfer-Encoding: chunked\r\n",
        b"Content-Length: 16\r\nContent-Length: 17\r\n",
        b"Content-Length: +16\r\n",
        b"Content-Length: 0_7\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding: chunked, gzip\r\n",
        b"Transfer-Encoding: \x0bchunked\r\n",
        b" folded: yes\r\nContent-Length: 16\r\n",
        b"X-Space : yes\r\nContent-Length: 16\r\n",
        b"X-Nul: a\x00b\r\nContent-Length: 16\r\n",
        b"X-Long: " + b"a" * 9000 + b"\r\nContent-Length: 16\r\n",
        b"".join(b"X-%d: a\r\n" % number for number in range(150)) + b"Content-Length: 16\r\n",
    ],
)
def test_doubtful_framing_gets_one_refusal_and_the_end_of_the_connection(talk, head):
    (status,) = answers(talk(POST + head + b"\r\n" + GOOD, seconds=5))
    assert 400 <= status < 600
    assert status != 500


def test_a_uri_beyond_the_limit_is_refused(talk):
    (status,) = answers(talk(b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"))
    assert 400 <= status < 500


@pytest.mark.parametrize("header", [b"SCRIPT_NAME: /evil", b"X-Forwarded-Proto: https", b"X_Forwarded_For: 1.1.1.1"])
def test_forwarded_headers_change_nothing(talk, header):
    received = talk(b"GET /v1 HTTP/1.1\r\nHost: x\r\n" + CLOSE + header + b"\r\n\r\n")
    assert answers(received) == [200]
    assert b"evil" not in received


def test_a_body_over_the_limit_is_413_in_either_framing(talk):
    large = b'{"text":"' + b"a" * (2 << 20) + b'"}'
    assert answers(talk(POST + b"Content-Length: %d\r\n\r\n" % len(large), seconds=5))[0] == 413
    assert answers(talk(chunked(b"%x\r\n%s\r\n0\r\n\r\n" % (len(large), large)), seconds=5))[0] == 413


@pytest.mark.parametrize("sent", [b"", b"POST /v1/Fau", POST, POST + b"Content-Length: 16\r\n\r\n" + b'{"te'])
def test_a_client_that_stops_sending_is_cut(talk, sent):
    began = time.monotonic()
    received = talk(sent, seconds=12)
    assert time.monotonic() - began < 10
    assert answers(received) in ([], [400])


def test_a_client_that_trickles_is_cut(server, talk):
    began = time.monotonic()
    with pytest.raises(OSError):  # noqa: PT011  reset or broken pipe, as it falls
        talk(POST, *[b"X"] * 60, pause=0.2)
    assert time.monotonic() - began < 10


def test_many_idle_and_slow_clients_do_not_keep_others_waiting(server):
    address = urlsplit(server.url)
    connections = [socket.create_connection((address.hostname, address.port)) for _ in range(300)]
    for connection in connections[:100]:
        connection.sendall(POST)
    began = time.monotonic()
    assert server.post("/v1/Faulty", json={"text": "hello"}).status_code == 200
    assert time.monotonic() - began < 4
    for connection in connections:
        connection.close()


def test_requests_in_one_packet_are_each_answered_in_order(talk):
    received = talk(SIZED * 2 + SIZED.replace(b"\r\n", b"\r\n" + CLOSE, 1))
    assert answers(received) == [200, 200, 200]
