"""One loop for all word vectors: epochs, a falling learning rate, a progress bar, and going on after interruption."""

import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor
from tqdm import tqdm

from model_serving.training import checkpoints

Batch = TypeVar("Batch")
BatchIn = TypeVar("BatchIn", contravariant=True)
BatchOut = TypeVar("BatchOut", covariant=True)

LEAST_RATE = 1e-4
"""The share of the first learning rate that is left at the end."""

log = logging.getLogger("training")


class Batches(Protocol[BatchOut]):
    """What is learnt from."""

    def epoch(self, random: torch.Generator) -> Iterator[tuple[float, BatchOut]]:
        """All of it once; with each batch the share done after it."""


class Learner(Protocol[BatchIn]):
    """What learns."""

    def learn(self, batch: BatchIn, rate: float, random: torch.Generator) -> float:
        """Take one step and give the loss."""

    def state(self) -> dict[str, Tensor]:
        """The tensors that learning changes, in place."""


def run(
    learner: Learner[Batch], batches: Batches[Batch], checkpoint: Path, *, epochs: int, rate: float, seed: int
) -> dict[str, Any]:
    """Learn for some epochs, the rate falling linearly to nothing; go on at ``checkpoint`` where it exists.

    Returns:
        A record of the training for the card.

    Raises:
        ValueError: the checkpoint is of another training.
    """
    done, seconds = _resume(learner, checkpoint, epochs)
    loss = 0.0
    for epoch in range(done, epochs):
        began = time.monotonic()
        random = torch.Generator().manual_seed(seed * 1000 + epoch)
        losses = []
        with tqdm(total=100, desc=f"epoch {epoch + 1} of {epochs}", unit="%", mininterval=2) as bar:
            for share, batch in batches.epoch(random):
                fallen = max(1 - (epoch + share) / epochs, LEAST_RATE)
                losses.append(learner.learn(batch, rate * fallen, random))
                bar.update(int(100 * share) - bar.n)
        loss = sum(losses) / len(losses)
        seconds += time.monotonic() - began
        checkpoints.save(
            {"epoch": epoch + 1, "seconds": seconds, "epochs": epochs, "state": learner.state()}, checkpoint
        )
        log.info("Epoch %d: loss %.4f after %.0f s", epoch + 1, loss, seconds)
    return {"epochs": epochs, "rate": rate, "learning_seconds": round(seconds)}


def _resume(learner: Learner[Any], checkpoint: Path, epochs: int) -> tuple[int, float]:
    if not checkpoint.exists():
        return 0, 0.0
    saved = checkpoints.load(checkpoint)
    state = learner.state()
    if saved["epochs"] != epochs or {n: t.shape for n, t in saved["state"].items()} != {
        n: t.shape for n, t in state.items()
    }:
        raise ValueError(f"{checkpoint} is of another training; delete it to start anew")
    for name, tensor in state.items():
        tensor.copy_(saved["state"][name])
    log.info("Resuming at %s after epoch %d of %d", checkpoint, saved["epoch"], epochs)
    return saved["epoch"], saved["seconds"]
