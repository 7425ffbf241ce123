"""Gradient descent for every translator.

Adam with a learning rate that rises for ``warm_up`` updates and then falls with the square root of their number, and
label smoothing (Vaswani et al., 2017, section 5). In the last stages the rate falls on to zero, which ends a training
better than the mean of late weights (Hägele et al., 2024, "Scaling laws and compute-optimal training beyond fixed
training durations", arXiv:2405.18392, section 3). The network learns in bfloat16 where the processor is faster at it.
"""

import logging
import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_
from tqdm import tqdm

from model_serving.models.layers.precision import fast_bfloat16
from model_serving.models.translators.subwords import PADDING
from model_serving.training import checkpoints
from model_serving.training.translators.examples import Batch, Example, batches

SMOOTHING = 0.1
UPDATES = 500
"""Of one stage; then a checkpoint is written."""

log = logging.getLogger("training")


@dataclass(frozen=True)
class Schedule:
    """How long and how fast to learn.

    ``rate`` is the learning rate at the end of ``warm_up`` updates; in the last ``cooling`` of the ``stages`` it falls
    to zero besides. ``subwords`` is the size of a batch's target.
    """

    stages: int
    rate: float
    warm_up: int
    subwords: int
    cooling: int = 0


class Training:
    """One training in progress: network, optimiser, and how far it has come.

    Args:
        network: maps source and target so far, both (batch, time) int64, to logits (batch, time, targets).
        schedule: how to learn.
        seed: of the order of batches.
        vocabulary: tells one set of sub-words from another.
    """

    def __init__(self, network: nn.Module, schedule: Schedule, seed: int, vocabulary: str):
        self.vocabulary = vocabulary
        self.network = network
        self.schedule = schedule
        self.seed = seed
        self.optimiser = torch.optim.Adam(network.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9, fused=True)
        self.rate = torch.optim.lr_scheduler.LambdaLR(self.optimiser, self._rate)
        self.stage = 0
        self.seconds = 0.0

    def run(self, train: list[Example], dev: list[Example], checkpoint: Path) -> dict[str, Any]:
        """Learn to the end of the schedule, from ``checkpoint`` where it exists.

        Returns:
            a record for the card.
        """
        if checkpoint.exists():
            self.load_state_dict(checkpoints.load(checkpoint))
            log.info("Resuming at %s after stage %d of %d", checkpoint, self.stage, self.schedule.stages)
        ahead = islice(self._endless(train), self.stage * UPDATES, None)
        loss = float("nan")
        while self.stage < self.schedule.stages:
            began = time.monotonic()
            learnt = self._learn(ahead)
            self.stage += 1
            self.seconds += time.monotonic() - began
            loss = self.loss(dev)
            checkpoints.save(self.state_dict(), checkpoint)
            log.info("Stage %d: loss %.3f, dev loss %.3f, %.0f s", self.stage, learnt, loss, self.seconds)
        self.network.eval()
        return {
            "updates": self.stage * UPDATES,
            "cooling": self.schedule.cooling * UPDATES,
            "dev_loss": round(self.loss(dev), 3),
            "minutes": round(self.seconds / 60, 1),
        }

    @torch.no_grad()
    def loss(self, examples: list[Example]) -> float:
        """The mean negative log probability of a target sub-word, without smoothing."""
        self.network.eval()
        total, count = 0.0, 0
        for batch in batches(examples, 4 * self.schedule.subwords, random.Random(self.seed)):
            here = int((batch.target[:, 1:] != PADDING).sum())
            total += self._loss(batch, smoothing=0.0).item() * here
            count += here
        return total / count

    def _learn(self, ahead: Iterator[Batch]) -> float:
        """One stage; its mean loss."""
        self.network.train()
        total = 0.0
        for batch in tqdm(islice(ahead, UPDATES), f"stage {self.stage + 1}", UPDATES, unit="batch", mininterval=5):
            self.optimiser.zero_grad()
            with torch.autocast("cpu", torch.bfloat16, enabled=fast_bfloat16()):
                loss = self._loss(batch, smoothing=SMOOTHING)
            loss.backward()  # type: ignore[no-untyped-call]
            clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimiser.step()
            self.rate.step()
            total += float(loss.detach())
        return total / UPDATES

    def _loss(self, batch: Batch, smoothing: float) -> Tensor:
        logits = self.network(batch.source, batch.target[:, :-1])
        wanted = batch.target[:, 1:].flatten()
        scores = logits.flatten(0, 1).float()
        loss: Tensor = functional.cross_entropy(scores, wanted, ignore_index=PADDING, label_smoothing=smoothing)
        return loss

    def _endless(self, train: list[Example]) -> Iterator[Batch]:
        epoch = 0
        while True:
            yield from batches(train, self.schedule.subwords, random.Random(f"{self.seed} {epoch}"))
            epoch += 1

    def _rate(self, update: int) -> float:
        done = update + 1
        rate = self.schedule.rate * min(done / self.schedule.warm_up, math.sqrt(self.schedule.warm_up / done))
        left = self.schedule.stages * UPDATES - update
        return rate * min(1.0, left / (self.schedule.cooling * UPDATES)) if self.schedule.cooling else rate

    def state_dict(self) -> dict[str, Any]:
        """All that a resumed run needs."""
        return {
            "vocabulary": self.vocabulary,
            "network": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "rate": self.rate.state_dict(),
            "random": torch.get_rng_state(),
            "stage": self.stage,
            "seconds": self.seconds,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take up where :meth:`state_dict` was written.

        Raises:
            ValueError: the state is of another vocabulary.
        """
        if state["vocabulary"] != self.vocabulary:
            raise ValueError("The checkpoint was trained on other data; delete it to start anew")
        self.network.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.rate.load_state_dict(state["rate"])
        torch.set_rng_state(state["random"])
        self.stage, self.seconds = state["stage"], state["seconds"]
