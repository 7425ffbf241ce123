"""The descent that the taggers with networks share.

Adam at 2e-3 falling along a cosine to zero (Kingma and Ba, 2015; Loshchilov and Hutter, 2017), batches of like
length, the weights of the best epoch on the development part kept. The network runs in bfloat16 where the processor
multiplies it faster, the CRF in float64.
"""

import logging
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.nn.utils.rnn import pad_sequence
from tqdm import tqdm

from model_serving.models.layers.precision import fast_bfloat16
from model_serving.models.taggers.tagger import Labeller
from model_serving.models.taggers.text import LONGEST_SENTENCE
from model_serving.training import checkpoints
from model_serving.training.datasets.corpus import Corpus, TaggedSentence, labels_of
from model_serving.training.taggers.metrics import evaluate

LEARNING_RATE = 2e-3

log = logging.getLogger("training")


class Learner(Labeller, Protocol):
    """A labeller around a network; both share what the labeller reads from sentences, the lengths last."""

    labels: list[str]

    @property
    def network(self) -> nn.Module:
        """Emissions from what :meth:`encode` reads; its ``crf`` reads them."""

    def encode(self, sentences: Sequence[Sequence[str]]) -> tuple[Any, ...]:
        """The arguments of the network."""

    def vocabulary(self) -> dict[str, list[str]]:
        """What tells one corpus from another."""


def descend(
    labeller: Learner, corpus: Corpus, checkpoint: Path, *, seed: int, epochs: int, most: int
) -> dict[str, Any]:
    """Train a labeller on ``corpus.train`` and leave it with the weights that did best on ``corpus.dev``.

    Picks up at ``checkpoint`` where it exists. ``most`` bounds the units of a batch, padding included. Returns a record
    for the card.
    """
    sentences = [sentence for sentence in corpus.train if len(sentence.units) <= LONGEST_SENTENCE]
    run = _Run(labeller, epochs * len(_batches(sentences, random.Random(seed), most)))
    if checkpoint.exists():
        run.load_state_dict(checkpoints.load(checkpoint))
        log.info("Resuming at %s after epoch %d of %d", checkpoint, run.epoch, epochs)
    while run.epoch < epochs:
        began = time.monotonic()
        run.train_epoch(_batches(sentences, random.Random(seed + run.epoch), most))
        labeller.network.eval()
        score = evaluate(labeller, corpus.dev)
        run.finish_epoch(score, time.monotonic() - began)
        checkpoints.save(run.state_dict(), checkpoint)
        log.info("Epoch %d: loss %.3f, dev F1 %.2f, best %.2f", run.epoch, run.loss, score, run.best_score)
    labeller.network.load_state_dict(run.best)
    labeller.network.eval()
    return {"epochs": epochs, "dev_f1": round(run.best_score, 2), "minutes": round(run.seconds / 60, 1)}


class _Run:
    """One training in progress: network, optimisers, and how far it has come."""

    def __init__(self, labeller: Learner, steps: int):
        self.labeller = labeller
        self.network = labeller.network
        self.crf: Any = self.network.crf
        self.numbers = {label: number for number, label in enumerate(labeller.labels)}
        tables = [layer.weight for layer in self.network.modules() if isinstance(layer, nn.Embedding) and layer.sparse]
        dense = [weight for weight in self.network.parameters() if all(weight is not table for table in tables)]
        self.optimisers = [
            torch.optim.Adam(dense, lr=LEARNING_RATE),
            torch.optim.SparseAdam(tables, lr=LEARNING_RATE),
        ]
        self.schedules = [torch.optim.lr_scheduler.CosineAnnealingLR(o, steps) for o in self.optimisers]
        self.epoch = 0
        self.loss = 0.0
        self.seconds = 0.0
        self.best_score = -1.0
        self.best: dict[str, torch.Tensor] = {}

    def train_epoch(self, batches: list[list[TaggedSentence]]) -> None:
        """One pass over the batches."""
        self.network.train()
        total = 0.0
        for batch in tqdm(batches, desc=f"epoch {self.epoch + 1}", unit="batch", mininterval=2):
            total += self._step(batch)
        self.loss = total / len(batches)

    def finish_epoch(self, score: float, seconds: float) -> None:
        """Count the epoch and keep its weights when they are the best so far."""
        self.epoch += 1
        self.seconds += seconds
        if score > self.best_score:
            self.best_score = score
            self.best = {name: value.clone() for name, value in self.network.state_dict().items()}

    def _step(self, batch: list[TaggedSentence]) -> float:
        *read, lengths = self.labeller.encode([sentence.units for sentence in batch])
        gold = [torch.tensor([self.numbers[label] for label in labels_of(sentence)]) for sentence in batch]
        with torch.autocast("cpu", torch.bfloat16, enabled=fast_bfloat16()):
            emissions = self.network(*read, lengths)
        loss = -self.crf(emissions, pad_sequence(gold, batch_first=True), lengths).mean()
        for optimiser in self.optimisers:
            optimiser.zero_grad()
        loss.backward()
        clip_grad_norm_([p for group in self.optimisers[0].param_groups for p in group["params"]], 5.0)
        for optimiser, schedule in zip(self.optimisers, self.schedules, strict=True):
            optimiser.step()
            schedule.step()
        return float(loss.item())

    def state_dict(self) -> dict[str, Any]:
        """All that a resumed run needs."""
        return {
            "vocabulary": self.labeller.vocabulary(),
            "network": self.network.state_dict(),
            "optimisers": [optimiser.state_dict() for optimiser in self.optimisers],
            "schedules": [schedule.state_dict() for schedule in self.schedules],
            "random": torch.get_rng_state(),
            **{name: getattr(self, name) for name in ("epoch", "loss", "seconds", "best_score", "best")},
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take up where :meth:`state_dict` was written.

        Raises:
            ValueError: the state is of another corpus.
        """
        if state["vocabulary"] != self.labeller.vocabulary():
            raise ValueError("The checkpoint was trained on other data; delete it to start anew")
        self.network.load_state_dict(state["network"])
        for optimiser, saved in zip(self.optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(saved)
        for schedule, saved in zip(self.schedules, state["schedules"], strict=True):
            schedule.load_state_dict(saved)
        torch.set_rng_state(state["random"])
        for name in ("epoch", "loss", "seconds", "best_score", "best"):
            setattr(self, name, state[name])


def _batches(sentences: list[TaggedSentence], shuffle: random.Random, most: int) -> list[list[TaggedSentence]]:
    """All sentences in random order, those of like length together, in batches of about equal size with padding."""
    order = sorted(sentences, key=lambda sentence: len(sentence.units) * (1 + 0.1 * shuffle.random()))
    batches = list(_cut(order, most))
    shuffle.shuffle(batches)
    return batches


def _cut(order: list[TaggedSentence], most: int) -> Iterator[list[TaggedSentence]]:
    batch: list[TaggedSentence] = []
    longest = 0
    for sentence in order:
        longest = max(longest, len(sentence.units))
        if batch and longest * (len(batch) + 1) > most:
            yield batch
            batch, longest = [], len(sentence.units)
        batch.append(sentence)
    if batch:
        yield batch
