"""Requests that take seconds: one at a time, in nobody's way, and stopped when nobody waits."""

import os
import threading
import time

import pytest

from model_serving.serving.errors import ServiceError
from model_serving.serving.lane import lane


class Slow:
    """Takes a step a millisecond until it is stopped or told to end; tells the niceness of its thread."""

    def __init__(self):
        self.begun = threading.Event()
        self.end = threading.Event()
        self.runs = 0
        self.stopped = 0
        self.together = []

    def predict(self, items, *, stop, **_):
        self.runs += 1
        self.together.append(len(items))
        self.begun.set()
        while not self.end.is_set():
            if stop():
                self.stopped += 1
                raise RuntimeError("nobody waits")
            time.sleep(0.001)
        return [os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) for _ in items]


@pytest.fixture
def slow():
    return Slow()


@pytest.fixture
def ask(slow):
    """Ask the slow model on a lane with room for two to wait."""
    batcher = lane(2)
    batcher.start()

    def ask(seconds=60.0, **options):
        gone = options.pop("gone", lambda: False)
        return batcher.run(["x"], {"model": slow, **options}, deadline=time.monotonic() + seconds, gone=gone)

    return ask


@pytest.fixture
def in_background():
    """Run calls in threads; what they raise and return comes in a list."""
    threads, results = [], []

    def start(call, **options):
        def work():
            try:
                results.append(call(**options))
            except BaseException as error:
                results.append(error)

        threads.append(threading.Thread(target=work))
        threads[-1].start()
        return results

    yield start
    for thread in threads:
        thread.join()


def test_a_long_request_runs_behind_all_others(ask, slow):
    slow.end.set()
    (niceness,) = ask()
    assert niceness > os.getpriority(os.PRIO_PROCESS, 0)


def test_a_run_is_stopped_and_not_repeated_once_its_deadline_has_passed(ask, slow):
    with pytest.raises(ServiceError) as refused:
        ask(0.05)
    assert (refused.value.status, refused.value.code) == (504, "deadline")
    slow.end.wait(0.1)
    assert (slow.runs, slow.stopped) == (1, 1)
    slow.end.set()
    assert len(ask()) == 1  # the lane lives on


def test_a_run_is_stopped_once_its_caller_has_left(ask, slow, in_background):
    left = threading.Event()
    results = in_background(ask, gone=left.is_set)
    assert slow.begun.wait(10)
    left.set()
    while not results:
        time.sleep(0.001)
    assert slow.runs == slow.stopped == 1


def test_each_runs_alone_and_more_than_may_wait_are_refused(ask, slow, in_background):
    results = in_background(ask)
    assert slow.begun.wait(10)
    for _ in range(2):
        in_background(ask)
    while True:  # the two are on their way to the queue
        try:
            with pytest.raises(ServiceError) as refused:
                ask(0.02)
            if refused.value.code == "busy":
                break
        except AssertionError:
            pass
    slow.end.set()
    while len(results) < 3:
        time.sleep(0.001)
    assert slow.together == [1, 1, 1]
