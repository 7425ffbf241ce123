"""What a recipe gives back."""

from typing import Any, NamedTuple

from torch import Tensor


class Trained(NamedTuple):
    """What an artifact holds: packed ``weights``, their ``vocabulary``, and a ``record`` of the training."""

    weights: dict[str, Tensor]
    vocabulary: dict[str, list[str]]
    record: dict[str, Any]
