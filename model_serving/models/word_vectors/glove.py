"""GloVe: the product of two words' vectors is the logarithm of how often they stand together; a row a word.

Pennington, Socher and Manning, 2014, "GloVe: global vectors for word representation", EMNLP. A word is served as the
sum of its vectors as word and as context (section 4.2).
"""

from pathlib import Path
from typing import NamedTuple

from torch import Tensor

from model_serving.models.artifact import Artifact
from model_serving.models.space import Space
from model_serving.models.word_vectors import vectors
from model_serving.models.word_vectors.vectors import WordVectors

MOST_COUNTED = 100
POWER = 0.75


class Step(NamedTuple):
    """Loss (cells,) and gradients (cells, size + 1) of the words and contexts of some cells."""

    loss: Tensor
    words: Tensor
    contexts: Tensor


def weight(counts: Tensor) -> Tensor:
    """How much a cell counts, by its count: equation 9, with x_max 100 and alpha 3/4."""
    return (counts / MOST_COUNTED).clamp(max=1) ** POWER


def weighted_least_squares(words: Tensor, contexts: Tensor, counts: Tensor) -> Step:
    """Equation 8 for some cells.

    Args:
        words: (cells, size + 1), the vectors, the last number of each being the bias.
        contexts: (cells, size + 1), likewise.
        counts: (cells,), above zero.
    """
    size = words.shape[1] - 1
    off = (words[:, :size] * contexts[:, :size]).sum(1) + words[:, size] + contexts[:, size] - counts.log()
    slope = (weight(counts) * off).unsqueeze(1)
    of_words, of_contexts = slope * contexts, slope * words
    of_words[:, size:] = of_contexts[:, size:] = slope
    return Step(slope.squeeze(1) * off / 2, of_words, of_contexts)


def load_space(trained: Artifact) -> Space:
    """The space of one trained variant."""
    return vectors.load_rows(trained)


def load(folder: Path) -> WordVectors:
    """The served vectors of all variants in ``folder``."""
    return vectors.load(folder, load_space)
