"""The batcher around a model that does as its items say."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from model_serving.serving import batcher as serving_batcher
from model_serving.serving.batcher import NOBODY, Batcher, Observer
from model_serving.serving.errors import ServiceError

SOON = 10.0


class Model:
    """Answers ``item -> (item, options)``; ``gate`` holds runs back, ``broken`` maps an item to what it raises."""

    def __init__(self):
        self.gate = threading.Event()
        self.gate.set()
        self.running = threading.Event()
        self.batches = []
        self.broken = {}
        self.answer = None

    def cost(self, item):
        return len(item)

    def predict(self, items, **options):
        self.batches.append(list(items))
        self.running.set()
        assert self.gate.wait(SOON)
        for item in items:
            if item in self.broken:
                raise self.broken[item]
        return [(item, options) for item in items] if self.answer is None else self.answer(items)


@pytest.fixture
def model():
    return Model()


@pytest.fixture
def make(model):
    def start(capacity=None, most_waiting=64, most_cost=100, observer=NOBODY):
        capacity = capacity or threading.Semaphore(96)
        bounds = {"most_waiting": most_waiting, "most_cost": most_cost}
        batcher = Batcher(model, "Toy", capacity=capacity, observer=observer, **bounds)
        batcher.start()
        return batcher

    return start


@pytest.fixture
def batcher(make):
    return make()


@pytest.fixture
def pool():
    with ThreadPoolExecutor(80) as pool:
        yield pool


def run(batcher, items, seconds=SOON, gone=lambda: False, **options):
    return batcher.run(items, options, deadline=time.monotonic() + seconds, gone=gone)


def hold(batcher, model, pool):
    """Keep the model busy with one item until ``model.gate`` is set."""
    model.gate.clear()
    model.running.clear()
    held = pool.submit(run, batcher, ["held"])
    assert model.running.wait(SOON)
    model.batches.clear()
    return held


def wait_for(batcher, count):
    deadline = time.monotonic() + SOON
    while len(batcher._jobs) < count:
        assert time.monotonic() < deadline
        time.sleep(0.001)


def queue_up(batcher, pool, *calls):
    """Submit calls one after the other, so that their order in the queue is known."""
    futures = []
    for items, options in calls:
        before = len(batcher._jobs)
        futures.append(pool.submit(run, batcher, items, **options))
        wait_for(batcher, before + 1)
    return futures


def test_results_come_in_the_order_of_the_items_with_the_options(batcher):
    assert run(batcher, ["b", "a"], tone="low") == [("b", {"tone": "low"}), ("a", {"tone": "low"})]


def test_a_lone_request_runs_at_once_and_alone(batcher, model):
    began = time.monotonic()
    for _ in range(20):
        run(batcher, ["a"])
    assert time.monotonic() - began < 1
    assert model.batches == [["a"]] * 20


def test_what_waits_shares_the_next_run_by_its_options(batcher, model, pool):
    held = hold(batcher, model, pool)
    low, high = {"tone": "low"}, {"tone": "high"}
    futures = queue_up(batcher, pool, (["a"], low), (["b"], high), (["c", "d"], low), (["e"], high))
    model.gate.set()
    assert [future.result() for future in futures] == [
        [("a", low)], [("b", high)], [("c", low), ("d", low)], [("e", high)],
    ]  # fmt: skip
    assert model.batches == [["a", "c", "d"], ["b", "e"]]
    assert held.result() == [("held", {})]


def test_callers_who_shared_a_run_share_the_next(batcher, model, pool, monkeypatch):
    monkeypatch.setattr(serving_batcher, "PAUSE", 0.3)
    held = hold(batcher, model, pool)
    callers = [pool.submit(lambda name=name: [run(batcher, [name]) for _ in range(3)]) for name in "ab"]
    wait_for(batcher, 2)
    model.gate.set()
    for caller in (held, *callers):
        caller.result(SOON)
    assert [sorted(batch) for batch in model.batches] == [["a", "b"]] * 3


def test_who_was_just_answered_joins_those_who_wait(batcher, model, pool, monkeypatch):
    monkeypatch.setattr(serving_batcher, "PAUSE", 0.3)
    model.gate.clear()
    again = pool.submit(lambda: [run(batcher, ["again"]) for _ in range(2)])
    assert model.running.wait(SOON)
    waiting = queue_up(batcher, pool, (["a"], {}), (["b"], {}))
    model.gate.set()
    for caller in (again, *waiting):
        caller.result(SOON)
    assert model.batches == [["again"], ["a", "b", "again"]]


def test_a_run_is_bounded_by_its_cost_and_a_costly_item_runs_alone(batcher, model, pool):
    hold(batcher, model, pool)
    items = ["a" * 60, "b" * 60, "c" * 40, "d" * 500, "e"]
    futures = queue_up(batcher, pool, *(([item], {}) for item in items))
    model.gate.set()
    assert [future.result()[0][0] for future in futures] == items
    assert [sum(map(len, batch)) for batch in model.batches] == [60, 100, 500, 1]


def test_a_long_job_lets_others_in_between_and_keeps_its_order(make, model, pool):
    batcher = make(most_cost=2)
    hold(batcher, model, pool)
    long, short = queue_up(batcher, pool, (list("abcdef"), {}), (["x"], {"tone": "high"}))
    model.gate.set()
    assert [item for item, _ in long.result()] == list("abcdef")
    assert short.result() == [("x", {"tone": "high"})]
    assert model.batches == [["a", "b"], ["x"], ["c", "d"], ["e", "f"]]


@pytest.mark.parametrize("error", [ValueError("bad"), MemoryError(), SystemExit(3), KeyboardInterrupt()])
def test_an_error_reaches_its_own_caller_alone(batcher, model, pool, error):
    model.broken["bad"] = error
    hold(batcher, model, pool)
    first, bad, last = queue_up(batcher, pool, (["a"], {}), (["b", "bad"], {}), (["c"], {}))
    model.gate.set()
    assert (first.result(), last.result()) == ([("a", {})], [("c", {})])
    with pytest.raises(RuntimeError, match="Toy failed") as caught:
        bad.result()
    assert caught.value.__cause__ is error
    assert run(batcher, ["later"]) == [("later", {})]


def test_an_error_in_the_middle_of_a_long_job_ends_it(make, model):
    batcher = make(most_cost=2)
    model.broken["d"] = ValueError()
    with pytest.raises(RuntimeError):
        run(batcher, list("abcdefgh"))
    assert run(batcher, ["later"]) == [("later", {})]
    assert ["e", "f"] not in model.batches


@pytest.mark.parametrize(
    "answer", [lambda items: [], lambda items: [1] * 9, lambda items: None, lambda items: iter(items), lambda items: 7]
)
def test_a_wrong_number_of_results_is_an_error_and_reaches_nobody(batcher, model, answer):
    model.answer = answer
    with pytest.raises(RuntimeError):
        run(batcher, ["a", "b"])
    model.answer = None
    assert run(batcher, ["later"]) == [("later", {})]


def test_the_deadline_holds_while_the_model_runs_and_in_the_queue(batcher, model, pool):
    hold(batcher, model, pool)
    began = time.monotonic()
    with pytest.raises(ServiceError) as caught:
        run(batcher, ["late"], seconds=0.1)
    assert (caught.value.status, caught.value.code) == (504, "deadline")
    assert 0.1 <= time.monotonic() - began < 1
    model.gate.set()
    assert run(batcher, ["later"]) == [("later", {})]
    assert ["late"] not in model.batches


def test_a_deadline_that_passes_just_as_a_run_ends_is_no_failure(batcher, model, pool):
    def ask(number, deadline):
        with pytest.raises(ServiceError) as caught:
            batcher.run([str(number)], {}, deadline=deadline)
        return caught.value.code

    for _ in range(10):
        hold(batcher, model, pool)
        deadline = time.monotonic() + 0.05
        futures = [pool.submit(ask, number, deadline) for number in range(40)]
        time.sleep(max(0, deadline - time.monotonic()))
        model.gate.set()
        assert {future.result() for future in futures} == {"deadline"}


def test_a_job_whose_caller_has_left_is_not_run(batcher, model, pool):
    hold(batcher, model, pool)
    left = threading.Event()
    future = pool.submit(run, batcher, ["left"], gone=left.is_set)
    wait_for(batcher, 1)
    left.set()
    model.gate.set()
    with pytest.raises(ServiceError) as caught:
        future.result()
    assert caught.value.status == 499
    assert model.batches == []


def test_a_full_queue_refuses_at_once_and_takes_on_again(make, model, pool):
    batcher = make(most_waiting=3)
    hold(batcher, model, pool)
    waiting = queue_up(batcher, pool, (["a"], {}), (["b"], {}), (["d"], {}))
    began = time.monotonic()
    with pytest.raises(ServiceError) as caught:
        run(batcher, ["c"])
    assert time.monotonic() - began < 0.1
    assert (caught.value.status, caught.value.code, caught.value.headers) == (503, "busy", {"Retry-After": "1"})
    model.gate.set()
    assert [future.result() for future in waiting] == [[("a", {})], [("b", {})], [("d", {})]]
    assert run(batcher, ["c"]) == [("c", {})]


def test_all_models_of_a_process_share_its_capacity(make):
    capacity = threading.Semaphore(0)
    batcher = make(capacity=capacity)
    with pytest.raises(ServiceError):
        run(batcher, ["a"])
    capacity.release()
    assert run(batcher, ["a"]) == run(batcher, ["a"])


def test_an_expired_caller_gives_its_place_back(make, model, pool):
    batcher = make(most_waiting=1)
    hold(batcher, model, pool)
    for _ in range(5):
        with pytest.raises(ServiceError) as caught:
            run(batcher, ["late"], seconds=0.01)
        assert caught.value.code == "deadline"
    model.gate.set()


def test_the_model_runs_in_inference_mode_and_in_one_thread_only(batcher, model, pool):
    seen = set()

    def probe(items):
        seen.add((threading.current_thread().name, torch.is_inference_mode_enabled()))
        return items

    model.answer = probe
    assert list(pool.map(lambda n: run(batcher, [str(n)]), range(50))) == [[str(n)] for n in range(50)]
    assert seen == {("batcher-Toy", True)}


def test_many_callers_with_many_options_each_get_their_own(batcher, pool):
    def ask(number):
        items = [f"{number}-{place}" for place in range(number % 7 + 1)]
        return run(batcher, items, tone=number % 5) == [(item, {"tone": number % 5}) for item in items]

    assert all(pool.map(ask, range(300)))


def test_the_thread_lives_as_long_as_it_should(make, model):
    batcher = make()
    assert batcher.healthy(longest=1)
    assert not Batcher(model, "Toy", most_waiting=1, capacity=threading.Semaphore(1), most_cost=1).healthy(longest=1)


def test_a_run_that_does_not_come_back_is_not_healthy(batcher, model, pool):
    hold(batcher, model, pool)
    assert batcher.healthy(longest=SOON)
    assert not batcher.healthy(longest=0)
    model.gate.set()
    run(batcher, ["later"])
    assert batcher.healthy(longest=SOON)


class Notes(Observer):
    """Writes down what it hears."""

    def __init__(self):
        self.depths = []
        self.waits = []
        self.batches = []
        self.events = []

    def waiting(self, jobs):
        self.depths.append(jobs)

    def taken(self, seconds):
        self.waits.append(seconds)

    def ran(self, items, seconds):
        self.batches.append((items, seconds))

    def refused(self):
        self.events.append("refused")

    def expired(self):
        self.events.append("expired")


def test_an_observer_hears_each_job_once_however_long_it_is(make, model, pool):
    notes = Notes()
    batcher = make(most_cost=2, observer=notes)
    hold(batcher, model, pool)
    futures = queue_up(batcher, pool, (list("abcdef"), {}), (["x"], {"tone": "high"}))
    time.sleep(0.05)
    model.gate.set()
    for future in futures:
        future.result()
    assert [items for items, _ in notes.batches] == [1, 2, 1, 2, 2]
    held, *others = notes.waits
    assert len(others) == 2
    assert held < 0.05 <= min(others) <= max(others) < SOON
    assert notes.batches[0][1] >= 0.05
    assert (max(notes.depths), notes.depths[-1]) == (2, 0)
    assert notes.events == []


def test_an_observer_hears_of_refusals_and_deadlines_and_of_jobs_that_leave_the_queue(make, model, pool):
    notes = Notes()
    batcher = make(most_waiting=1, observer=notes)
    hold(batcher, model, pool)
    late = pool.submit(run, batcher, ["late"], seconds=0.05)
    wait_for(batcher, 1)
    with pytest.raises(ServiceError):
        run(batcher, ["one too many"])
    with pytest.raises(ServiceError):
        late.result()
    assert notes.events == ["refused", "expired"]
    assert notes.depths[-2:] == [1, 0]
    model.gate.set()
    run(batcher, ["later"])
    assert notes.depths[-1] == 0
    assert len(notes.waits) == 2
