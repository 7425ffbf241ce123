"""What a caller asks of a model, on its way through the batcher."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from model_serving.serving.errors import ServiceError

CLIENT_CLOSED_REQUEST = 499
"""A status nobody receives; logs and metrics tell it apart from our failures, as nginx's do."""


@dataclass(eq=False)
class Job:
    """One caller's items on their way through; ``results`` grows until it has one for each."""

    items: list[Any]
    costs: list[int]
    options: dict[str, Any]
    deadline: float
    gone: Callable[[], bool]
    came: float = field(default_factory=time.monotonic)
    results: list[Any] = field(default_factory=list)
    error: BaseException | None = None

    def __post_init__(self) -> None:
        self._pending = threading.Lock()  # held until the job is done; an Event costs ten times more
        self._pending.acquire()

    def over(self) -> bool:
        """Whether nobody waits for the results any more; the caller must not have been answered yet."""
        return self.late() or self.gone()

    def late(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline <= time.monotonic()

    def give_up(self) -> None:
        """Tell that the caller has left; one who is late finds out alone, and must not take this for a failure."""
        if not self.late():
            self.finish(ServiceError(CLIENT_CLOSED_REQUEST, "gone", "The caller has left"))

    def finish(self, error: BaseException | None = None) -> None:
        """Wake the caller; once."""
        self.error = error
        self._pending.release()

    def wait(self, seconds: float) -> bool:
        """Whether the job is done within ``seconds``; for its one caller."""
        return self._pending.acquire(timeout=seconds)


@dataclass(frozen=True)
class Slice:
    """The next ``count`` items of a job, as they go into one run."""

    job: Job
    count: int

    @property
    def items(self) -> list[Any]:
        """The items themselves."""
        first = len(self.job.results)
        return self.job.items[first : first + self.count]

    @property
    def is_last(self) -> bool:
        """Whether nothing of the job is left behind it."""
        return len(self.job.results) + self.count == len(self.job.items)
