"""The lane of long requests: what takes seconds, of all models, one at a time behind everything else."""

import threading
from typing import Any

from model_serving.serving.batcher import NOBODY, Batcher, Model, Observer

NAME = "long"
"""Stands for a model where the lane is counted."""

_NICENESS = 10


class AnyModel:
    """Runs whichever model a request names in its options."""

    def cost(self, item: Any, /) -> int:
        """As much as there is room for: each runs alone."""
        return 1

    def predict(self, items: list[Any], /, **options: Any) -> list[Any]:
        """One result or one error an item, of the model in ``options["model"]``, which is given the others."""
        model: Model = options.pop("model")
        return model.predict(items, **options)


def lane(most_waiting: int, observer: Observer = NOBODY) -> Batcher:
    """A batcher of one thread that stands back for all others, with a bound of its own.

    Args:
        most_waiting: requests that may wait; with the one being run they have their own room in the process.
        observer: hears what happens to them.
    """
    return Batcher(
        AnyModel(),
        NAME,
        most_waiting=most_waiting,
        capacity=threading.Semaphore(most_waiting + 1),
        most_cost=1,
        observer=observer,
        stoppable=True,
        niceness=_NICENESS,
    )
