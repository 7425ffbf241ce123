"""Many callers, one model: what waits is gathered, run once, and handed back to each caller alone.

A lone request is run at once; requests that arrive while the model is busy share the next run. Callers who shared one
often ask again as soon as they are answered, so the next waits for them beside those who wait already, while they keep
coming: else they would go in two halves, each waiting for the other. Requests are only put together when their options
are equal, so an answer never depends on its neighbours' options; that it does not depend on their items is the model's
part.
"""

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import accumulate, takewhile
from typing import Any, Protocol

import torch

from model_serving.serving.errors import ServiceError
from model_serving.serving.jobs import Job, Slice

PAUSE = 0.001
"""How many seconds without a caller end the wait for those of the last run."""

log = logging.getLogger("batcher")


class Model(Protocol):
    """What is served: any object that answers batches."""

    def cost(self, item: Any, /) -> int:
        """The work an item makes, in units of its own."""

    def predict(self, items: list[Any], /, **options: Any) -> list[Any]:
        """One result or one error an item, in their order."""


class Observer:
    """Hears what happens to the jobs and ignores it; one that does not must be quick, for the queue may be locked."""

    def waiting(self, jobs: int) -> None:
        """So many jobs wait now."""

    def taken(self, seconds: float) -> None:
        """A job goes into its first batch, after so long in the queue."""

    def ran(self, items: int, seconds: float) -> None:
        """A batch of so many items has run for so long."""

    def refused(self) -> None:
        """There was no room for a job."""

    def expired(self) -> None:
        """The deadline of a job passed before its results were there."""


NOBODY = Observer()


class Batcher:
    """Runs one model in one thread.

    Args:
        model: what to run.
        name: for the log.
        most_waiting: jobs that may wait, those being run not counted; one more is refused.
        capacity: room for all jobs of all models of this process, waiting or being run.
        most_cost: of the items of one run together; an item that costs more runs alone.
        observer: hears what happens to the jobs.
        stoppable: whether ``predict`` takes a ``stop``, and asks it between its steps whether to give up by raising
            what it likes; for models that take seconds.
        niceness: of the thread, from 0; the higher, the more it stands back for others.
    """

    def __init__(
        self,
        model: Model,
        name: str,
        *,
        most_waiting: int,
        capacity: threading.Semaphore,
        most_cost: int,
        observer: Observer = NOBODY,
        stoppable: bool = False,
        niceness: int = 0,
    ):
        self._model = model
        self._name = name
        self._most_waiting = most_waiting
        self._capacity = capacity
        self._most_cost = most_cost
        self._observer = observer
        self._stoppable = stoppable
        self._niceness = niceness
        self._jobs: deque[Job] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._running_since: float | None = None

    def start(self) -> None:
        """Start the thread; once, in each worker, after the fork, which marks all threads made before it as ended."""
        self._thread = threading.Thread(target=self._work, name=f"batcher-{self._name}", daemon=True)
        self._thread.start()

    def healthy(self, longest: float) -> bool:
        """Whether the thread lives, and is in no run for more than ``longest`` seconds."""
        alive = self._thread is not None and self._thread.is_alive()
        since = self._running_since
        return alive and (since is None or time.monotonic() - since < longest)

    def run(
        self, items: list[Any], options: dict[str, Any], *, deadline: float, gone: Callable[[], bool] = lambda: False
    ) -> list[Any]:
        """One result an item, in order; blocks until they are there.

        Args:
            items: at least one.
            options: keywords of ``predict``, the same for all items.
            deadline: when to give up, on the clock of ``time.monotonic``.
            gone: whether nobody waits for the answer any more, asked when a batch is formed.

        Raises:
            ServiceError: 503 ``busy`` where too many jobs wait, 504 ``deadline``.
            RuntimeError: the model failed on these items.
        """
        job = Job(items, [self._model.cost(item) for item in items], options, deadline, gone)
        if not self._capacity.acquire(blocking=False):
            raise self._refusal()
        try:
            self._enqueue(job)
            if not job.wait(max(0.0, deadline - time.monotonic())):
                self._withdraw(job)
                self._observer.expired()
                raise ServiceError(504, "deadline", "The deadline passed before the answer was there")
        finally:
            self._capacity.release()
        if isinstance(job.error, ServiceError):
            raise job.error
        if job.error is not None:
            raise RuntimeError(f"{self._name} failed") from job.error
        return job.results

    def _enqueue(self, job: Job) -> None:
        with self._changed:
            if len(self._jobs) >= self._most_waiting:
                raise self._refusal()
            self._jobs.append(job)
            if self._running_since is not None:  # else it is taken at once
                self._observer.waiting(len(self._jobs))
            self._changed.notify()

    def _withdraw(self, job: Job) -> None:
        """Give the job's place to others; it has none when it is being run to its end."""
        with self._changed, suppress(ValueError):
            self._jobs.remove(job)
            self._observer.waiting(len(self._jobs))

    def _refusal(self) -> ServiceError:
        self._observer.refused()
        return ServiceError(503, "busy", "Too many requests wait; try again", headers={"Retry-After": "1"})

    def _work(self) -> None:
        torch.set_flush_denormal(True)
        if self._niceness:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), self._niceness)  # of this thread alone, on Linux
        while True:
            batch = self._next()
            self._run(batch)
            self._running_since = None
            self._let_come(min(len(batch) + len(self._jobs), self._most_waiting // 2))

    def _let_come(self, callers: int) -> None:
        """Wait until so many callers are there, while one comes each pause; half the room is left for others."""
        before = -1
        while callers > 1 and before < (waiting := len(self._jobs)) < callers:
            before = waiting
            time.sleep(PAUSE)

    def _next(self) -> list[Slice]:
        """The next batch, led by the job that has waited longest since it came or was last served."""
        with self._changed:
            while True:
                self._drop()
                batch = self._gather() if self._jobs else []
                self._observer.waiting(len(self._jobs))
                if batch:
                    self._running_since = time.monotonic()
                    return batch
                self._changed.wait()

    def _drop(self) -> None:
        """Take out the jobs that nobody waits for any more."""
        for job in list(self._jobs):
            if job.over():
                self._jobs.remove(job)
                job.give_up()

    def _gather(self) -> list[Slice]:
        """Cut slices from jobs with the first one's options until the cost is full.

        A job with items left over goes to the back of the queue, so that a long one lets others in between.
        """
        room = self._most_cost
        batch: list[Slice] = []
        for job in [job for job in self._jobs if job.options == self._jobs[0].options]:
            count = _fitting(job.costs[len(job.results) :], room, at_least=0 if batch else 1)
            if count == 0:
                break
            batch.append(Slice(job, count))
            room -= sum(job.costs[len(job.results) :][:count])
        now = time.monotonic()
        for slice_ in batch:
            if not slice_.job.results:
                self._observer.taken(now - slice_.job.came)
            self._jobs.remove(slice_.job)
            if not slice_.is_last:
                self._jobs.append(slice_.job)
        return batch

    def _run(self, batch: list[Slice]) -> None:
        """Run a batch; after a failure, each of its items alone, so that only the bad one's caller sees it."""
        items = [item for slice_ in batch for item in slice_.items]
        try:
            results = self._predict(items, [slice_.job for slice_ in batch])
        except BaseException as error:
            waiting = [slice_ for slice_ in batch if not slice_.job.over()]
            for slice_ in batch:
                if slice_ not in waiting:
                    self._withdraw(slice_.job)
                    slice_.job.give_up()
            if waiting:
                log.warning("%s failed on a batch of %d items, trying each alone: %r", self._name, len(items), error)
            for slice_ in waiting:
                self._run_alone(slice_)
            return
        for slice_ in batch:
            self._deliver(slice_.job, results[: slice_.count])
            del results[: slice_.count]

    def _run_alone(self, slice_: Slice) -> None:
        job = slice_.job
        try:
            self._deliver(job, [self._predict([item], [job])[0] for item in slice_.items])
        except BaseException as error:
            self._withdraw(job)
            job.finish(error)

    def _deliver(self, job: Job, results: list[Any]) -> None:
        job.results.extend(results)
        if len(job.results) == len(job.items):
            job.finish()

    def _predict(self, items: list[Any], jobs: list[Job]) -> list[Any]:
        """Run items of some jobs, whose options are equal."""
        options = dict(jobs[0].options)
        if self._stoppable:
            options["stop"] = lambda: all(job.over() for job in jobs)
        began = time.monotonic()
        with torch.inference_mode():
            results = self._model.predict(items, **options)
        self._observer.ran(len(items), time.monotonic() - began)
        if not isinstance(results, list) or len(results) != len(items):
            raise RuntimeError(f"{self._name} did not give one result for each of {len(items)} items")
        return list(results)


def _fitting(costs: list[int], room: int, at_least: int) -> int:
    """How many of the first costs fit into the room together, but ``at_least`` some."""
    totals = accumulate(costs)
    return max(at_least, sum(1 for _ in takewhile(lambda total: total <= room, totals)))
