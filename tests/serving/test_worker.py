"""The gunicorn worker by itself: how it shares connections with others."""

import multiprocessing
import socket
import time

import pytest
from gunicorn.workers.gthread import ThreadWorker

from model_serving.serving import connections, worker
from model_serving.serving.worker import LEAVE_SECONDS, Worker

NUMBERS = (1001, 1002)
"""Of workers that no server here has."""


@pytest.fixture(autouse=True)
def numbers():
    yield
    for number in NUMBERS:
        connections.forget(number)


@pytest.fixture
def slept(monkeypatch):
    """The seconds that a worker holding 5 connections leaves a new one to others."""
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(ThreadWorker, "accept", lambda self, listener: None)
    this = object.__new__(Worker)
    this.nr_conns = 5
    this.number = NUMBERS[0]
    connections.tell(this.number, this.nr_conns)

    def accept():
        with socket.socket() as listener:
            this.accept(listener)
        return slept

    return accept


def test_a_connection_is_taken_at_once_where_nobody_holds_fewer(slept):
    connections.tell(NUMBERS[1], 5)
    assert slept() == []


@pytest.mark.parametrize(("others", "moments"), [(4, 1), (2, 3)])
def test_a_connection_is_left_the_longer_to_a_worker_the_fewer_that_one_holds(slept, others, moments):
    connections.tell(NUMBERS[1], others)
    assert slept() == [pytest.approx(moments * LEAVE_SECONDS)]


def test_a_connection_is_left_no_longer_than_to_be_noticed(slept, monkeypatch):
    monkeypatch.setattr(worker, "LONGEST_LEAVE_SECONDS", 2 * LEAVE_SECONDS)
    connections.tell(NUMBERS[1], 0)
    assert slept() == [2 * LEAVE_SECONDS]


def test_a_worker_that_has_gone_is_left_nothing(slept):
    connections.tell(NUMBERS[1], 0)
    connections.forget(NUMBERS[1])
    assert slept() == []


def test_a_worker_that_stops_is_left_nothing(monkeypatch):
    monkeypatch.setattr(Worker, "_check", lambda self: None)
    this = object.__new__(Worker)
    this.nr_conns, this.number, this.alive = 0, NUMBERS[0], True
    this.notify()
    assert connections.fewest() == 0
    this.alive = False
    this.notify()
    assert connections.fewest() > 0


def test_counts_are_seen_by_all_processes():
    child = multiprocessing.get_context("fork").Process(target=connections.tell, args=(NUMBERS[0], 3))
    child.start()
    child.join()
    assert (child.exitcode, connections.fewest()) == (0, 3)
