"""What the command line asks of every model that can be trained."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from model_serving.training.datasets.packages import Package

Metrics = list[dict[str, Any]]
"""What a card lists: ``task, dataset, split, metric, value, baseline``, as in the HTTP contract."""


class Trainable(Protocol):
    """A model that can be trained and measured."""

    @property
    def slug(self) -> str:
        """Names the folder under ``data/``."""

    @property
    def packages(self) -> Sequence[Package]:
        """What holds the data that the variants learn from."""

    @property
    def variants(self) -> Sequence[str]:
        """Each becomes one artifact."""

    def train(self, name: str, folder: Path, checkpoint: Path, seed: int) -> Metrics:
        """Train the variant that ``folder`` is named after and write its artifact there.

        Args:
            name: of the model, for the card.
            folder: ``data/<model>/<variant>``.
            checkpoint: where to keep what an interrupted training needs to go on; it may be there already.
            seed: of all random choices.
        """

    def measure(self, folder: Path) -> Metrics:
        """What the artifact in ``folder`` reaches on held-out data; nothing is written."""
