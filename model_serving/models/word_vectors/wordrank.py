"""WordRank: contexts seen with a word should rank high among all contexts, at the top of the list above all.

Ji, Yun, Yanardag, Matsushima and Vishwanathan, 2016, "WordRank: learning word embeddings via robust ranking",
arXiv:1506.02761. A word is served as its vector as word alone.
"""

from math import log
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import softplus

from model_serving.models.artifact import Artifact
from model_serving.models.space import Space
from model_serving.models.word_vectors import vectors
from model_serving.models.word_vectors.vectors import WordVectors

ALPHA = 100.0
BETA = 99.0
"""Scale and offset of the rank (section 4)."""


class Step(NamedTuple):
    """Loss (cells,) and gradients of ``words``, ``contexts`` (cells, size) and ``others`` (k, size)."""

    loss: Tensor
    words: Tensor
    contexts: Tensor
    others: Tensor


def slope_of_rho(inverse: Tensor) -> Tensor:
    """The derivative of rho(x) = log2(1 + x), concave: a step at the top of the list counts more than below."""
    return 1 / ((1 + inverse) * log(2))


def losses(words: Tensor, contexts: Tensor, others: Tensor) -> Tensor:
    """How far each context fails to be ahead of the others: log2(1 + 2^-x) of its lead x.

    Args:
        words, contexts: (cells, size).
        others: (k, size).

    Returns:
        (cells, k), at least 1 where the other is ahead, so that their sum over all others is at least the rank.
    """
    lead = (words * contexts).sum(1, keepdim=True) - words @ others.T
    return softplus(-lead * log(2)) / log(2)


def xi(ranks: Tensor) -> Tensor:
    """What makes the bound on rho tight at ``ranks``: the second stage of the alternation."""
    return ALPHA / (ranks + BETA)


def ranking(words: Tensor, contexts: Tensor, others: Tensor, failed: Tensor, weights: Tensor) -> Step:
    """The first stage: the linear bound on the objective with xi fixed, for some cells.

    Args:
        words, contexts: (cells, size).
        others: (k, size), contexts drawn evenly from all.
        failed: (cells, k), their :func:`losses`.
        weights: (cells,), what a loss of one costs.
    """
    slope = -weights.unsqueeze(1) * (1 - torch.exp2(-failed))
    total = slope.sum(1, keepdim=True)
    return Step(weights * failed.sum(1), total * contexts - slope @ others, total * words, -slope.T @ words)


def load_space(trained: Artifact) -> Space:
    """The space of one trained variant."""
    return vectors.load_rows(trained)


def load(folder: Path) -> WordVectors:
    """The served vectors of all variants in ``folder``."""
    return vectors.load(folder, load_space)
