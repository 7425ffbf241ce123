"""Node classification: which class a node is of, told from its vector once some classes are known.

As in Perozzi et al., 2014, section 6.2: one-vs-rest logistic regression on vectors of length one, ten random splits.
"""

from typing import NamedTuple

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.multiclass import OneVsRestClassifier
from torch import Tensor
from torch.nn.functional import normalize

from model_serving.models.graph_vectors.graph import Graph

SHARES = (10, 50, 90)
"""Per cent of nodes whose class is known."""
SPLITS = 10
STRENGTH = 5
"""The inverse of the regularisation, one for all: rows of length one want a little more than 1."""


class Scores(NamedTuple):
    """F1 in points of 100, means over the splits."""

    micro: float
    macro: float


def classify(vectors: Tensor, labels: Tensor, share: int, splits: int = SPLITS) -> Scores:
    """How well classes are told where ``share`` per cent are known.

    Args:
        vectors: (nodes, size).
        labels: (nodes,), -1 for a node of no class.
        share: per cent of the classes that are known.
        splits: how often the nodes are split.
    """
    labelled = labels >= 0
    features, classes = normalize(vectors[labelled], dim=1).double().numpy(), labels[labelled].numpy()
    found = []
    for number in range(splits):
        train, test = split(classes, share, number)
        teller = OneVsRestClassifier(LogisticRegression(C=STRENGTH, max_iter=1000)).fit(features[train], classes[train])
        told = teller.predict(features[test])
        micro, macro = (f1_score(classes[test], told, average=way, zero_division=0) for way in ("micro", "macro"))
        found.append((micro, macro))
    micro, macro = np.mean(found, axis=0)
    return Scores(100 * float(micro), 100 * float(macro))


def split(classes: np.ndarray, share: int, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Split ``number`` of the nodes into known and asked ones: their places; at least two classes are known."""
    random = np.random.default_rng(number)
    known = max(2, round(len(classes) * share / 100))
    while True:
        order = random.permutation(len(classes))
        if len(set(classes[order[:known]])) > 1:
            return order[:known], order[known:]


def degree_features(graph: Graph) -> Tensor:
    """What is known of a node without any vectors: one, its strength and its logarithm (nodes, 3)."""
    strength = graph.undirected().strengths()
    return torch.stack([torch.ones(graph.nodes), strength / strength.max(), (1 + strength).log()], 1)
