"""Train WordRank: 100 numbers a word, windows of eight.

Departures from the paper: AdaGrad, not plain descent; the sum over all contexts is estimated from some that a batch
shares; and xi is renewed cell by cell as learning comes to it, once an epoch, not for all cells at once.
"""

from pathlib import Path

import torch
from torch import Tensor

from model_serving.models.layers.outputs import first_vectors
from model_serving.models.packing import pack
from model_serving.models.word_vectors import wordrank
from model_serving.models.word_vectors.glove import weight
from model_serving.training.word_vectors import schedule
from model_serving.training.word_vectors.adagrad import AdaptiveTable
from model_serving.training.word_vectors.cooccurrence import Cells, Matrix
from model_serving.training.word_vectors.recipe import Trained
from model_serving.training.word_vectors.text import EncodedText

PAPER = (
    "Ji, Yun, Yanardag, Matsushima and Vishwanathan, 2016, WordRank: Learning Word Embeddings via Robust Ranking, "
    "arXiv:1506.02761"
)
VARIANTS = ("zh",)
WORDS = 10_000
"""Half of what the others know: counts say little of rare words."""
SIZE = 100
WINDOW = 8
RATE = 0.1
FIRST_SQUARES = 1e-4
EPOCHS = 3
OTHERS = 128
"""Contexts drawn for a batch."""


class WordRankLearner:
    """The two tables of vectors, and xi for each cell.

    Args:
        words: how many.
        cells: how many.
        size: of the vectors.
        random: where the first vectors come from.
    """

    def __init__(self, words: int, cells: int, size: int, random: torch.Generator):
        self.words, self.contexts = (AdaptiveTable(first_vectors(words, size, random), FIRST_SQUARES) for _ in range(2))
        self.xi = torch.full((cells,), wordrank.xi(torch.tensor(float(words))).item())

    def learn(self, batch: Cells, rate: float, random: torch.Generator) -> float:
        """See :class:`model_serving.training.word_vectors.schedule.Learner`."""
        number = len(self.contexts.rows)
        drawn = torch.randint(number, (OTHERS,), generator=random)
        words, contexts = self.words.rows[batch.words], self.contexts.rows[batch.contexts]
        others = self.contexts.rows[drawn]
        failed = wordrank.losses(words, contexts, others)
        self.xi[batch.places] = wordrank.xi(failed.sum(1) * (number / OTHERS))
        cost = wordrank.slope_of_rho(1 / self.xi[batch.places]) / wordrank.ALPHA
        step = wordrank.ranking(words, contexts, others, failed, weight(batch.counts) * cost * (number / OTHERS))
        self.words.descend(batch.words, step.words, rate)
        self.contexts.descend(batch.contexts, step.contexts, rate)
        self.contexts.descend(drawn, step.others, rate)
        return float(step.loss.mean())

    def state(self) -> dict[str, Tensor]:
        """See :class:`model_serving.training.word_vectors.schedule.Learner`."""
        return {
            "words": self.words.rows,
            "words_squares": self.words.squares,
            "contexts": self.contexts.rows,
            "contexts_squares": self.contexts.squares,
            "xi": self.xi,
        }


def train(text: EncodedText, variant: str, checkpoint: Path, *, seed: int) -> Trained:
    """Train on the text; picks up at ``checkpoint`` where it exists."""
    matrix = Matrix.of(text, WINDOW)
    cells = len(matrix.cells.places)
    learner = WordRankLearner(len(text.words), cells, SIZE, torch.Generator().manual_seed(seed))
    record = schedule.run(learner, matrix, checkpoint, epochs=EPOCHS, rate=RATE, seed=seed)
    return Trained(pack(learner.words.rows), {"words": text.words.symbols}, record | {"cells": cells})
