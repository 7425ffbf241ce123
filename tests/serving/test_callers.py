"""Deadlines as callers ask for them, and callers that leave."""

import socket
import time

import pytest
from flask import Request

from model_serving.serving import callers
from model_serving.serving.errors import ServiceError


def request(connection=None, **headers):
    environ = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    return Request(environ | ({"gunicorn.socket": connection} if connection else {}))


@pytest.mark.parametrize(("given", "seconds"), [(None, 30), ("2", 2), ("0.25", 0.25), (" 5 ", 5), ("120", 120)])
def test_the_deadline_is_asked_for_or_the_default(given, seconds):
    asked = {} if given is None else {"x_request_timeout": given}
    found = callers.deadline(request(**asked), default=30, most=120) - time.monotonic()
    assert found == pytest.approx(seconds, abs=0.1)


@pytest.mark.parametrize("given", ["0", "-1", "120.1", "nan", "inf", "1e9", "soon", "", "1,5"])
def test_a_deadline_that_is_none_is_refused_with_its_bounds(given):
    with pytest.raises(ServiceError, match="more than 0 and at most 120") as caught:
        callers.deadline(request(x_request_timeout=given), default=30, most=120)
    assert (caught.value.status, caught.value.code) == (400, "input")


def test_a_caller_is_gone_when_the_connection_is_closed():
    ours, theirs = socket.socketpair()
    gone = callers.gone(request(ours))
    assert not gone()
    theirs.send(b"the next request")
    assert not gone()
    assert ours.recv(100) == b"the next request"
    theirs.close()
    assert gone()
    ours.close()
    assert gone()


def test_without_a_connection_nobody_is_gone():
    assert not callers.gone(request())()


def test_the_deadline_of_a_request_is_answered_with_504(client, script):
    script.seconds = 0.5
    response = client.post("/v1/Scripted", json={"text": "a"}, headers={"X-Request-Timeout": "0.05"})
    assert (response.status_code, response.get_json()["code"]) == (504, "deadline")
    response = client.post("/v1/Scripted", json={"text": "a"}, headers={"X-Request-Timeout": "x"})
    assert (response.status_code, response.get_json()["code"]) == (400, "input")
