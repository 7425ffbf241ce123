"""Train GloVe: 100 numbers a word, windows of eight, AdaGrad at 0.05."""

from pathlib import Path

import torch
from torch import Tensor

from model_serving.models.layers.outputs import first_vectors
from model_serving.models.packing import pack
from model_serving.models.word_vectors.glove import weighted_least_squares
from model_serving.training.word_vectors import schedule
from model_serving.training.word_vectors.adagrad import AdaptiveTable
from model_serving.training.word_vectors.cooccurrence import Cells, Matrix
from model_serving.training.word_vectors.recipe import Trained
from model_serving.training.word_vectors.text import EncodedText

PAPER = "Pennington, Socher and Manning, 2014, GloVe: Global Vectors for Word Representation, EMNLP"
VARIANTS = ("zh", "en")
WORDS = 10_000
"""Half of what the others know: counts say little of rare words."""
SIZE = 100
WINDOW = 8
RATE = 0.05
FIRST_SQUARES = 1e-3
EPOCHS = 8


class GloVeLearner:
    """The two tables of vectors and biases.

    Args:
        words: how many.
        size: of the vectors.
        random: where the first vectors come from.
    """

    def __init__(self, words: int, size: int, random: torch.Generator):
        self.words, self.contexts = (
            AdaptiveTable(first_vectors(words, size + 1, random), FIRST_SQUARES) for _ in range(2)
        )

    def learn(self, batch: Cells, rate: float, random: torch.Generator) -> float:
        """See :class:`model_serving.training.word_vectors.schedule.Learner`."""
        step = weighted_least_squares(self.words.rows[batch.words], self.contexts.rows[batch.contexts], batch.counts)
        self.words.descend(batch.words, step.words, rate)
        self.contexts.descend(batch.contexts, step.contexts, rate)
        return float(step.loss.mean())

    def vectors(self) -> Tensor:
        """Of each word the sum of its two vectors, without the biases."""
        return (self.words.rows + self.contexts.rows)[:, :-1]

    def state(self) -> dict[str, Tensor]:
        """See :class:`model_serving.training.word_vectors.schedule.Learner`."""
        return {
            "words": self.words.rows,
            "words_squares": self.words.squares,
            "contexts": self.contexts.rows,
            "contexts_squares": self.contexts.squares,
        }


def train(text: EncodedText, variant: str, checkpoint: Path, *, seed: int) -> Trained:
    """Train on the text; picks up at ``checkpoint`` where it exists."""
    learner = GloVeLearner(len(text.words), SIZE, torch.Generator().manual_seed(seed))
    matrix = Matrix.of(text, WINDOW)
    record = schedule.run(learner, matrix, checkpoint, epochs=EPOCHS, rate=RATE, seed=seed)
    return Trained(pack(learner.vectors()), {"words": text.words.symbols}, record | {"cells": len(matrix.cells.places)})
