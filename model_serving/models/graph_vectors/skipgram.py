"""Skip-gram over walks, as over sentences: a node's vector tells which nodes stand near it in walks."""

import torch
from torch import Tensor

from model_serving.models.graph_vectors.method import Check
from model_serving.models.layers.outputs import Output, bounded, first_vectors
from model_serving.models.layers.skipgram import descend

RATE = 0.025
NEGATIVES = 5
LEAST_RATE = 1e-4
"""The share of the first learning rate that is left at the end, both as in word2vec's program."""
PLACES = 480
"""Places of walks in a batch, fewer on a graph with fewer nodes; more are faster and learn worse, for all of a batch
move at once."""
MOST_MOVES = 128
"""Pairs of a batch, true and false, whose gradients a node takes whole where no more is said: hubs would leap."""
LONGEST = 16.0
"""Of a vector; in graphs of a handful of nodes nothing else keeps them from growing without end."""


def rounds(nodes: int, length: int, wanted: int, most_places: int) -> int:
    """How many walks start at each node: as many as ``wanted``, fewer where they had more than ``most_places``."""
    return max(1, min(wanted, most_places // max(1, nodes * length)))


def learn(
    walks: Tensor,
    nodes: int,
    size: int,
    output: Output,
    *,
    window: int,
    random: torch.Generator,
    check: Check,
    most_moves: float = MOST_MOVES,
) -> Tensor:
    """Vectors (nodes, size) learned by going through some walks once, the rate falling linearly to nothing.

    Args:
        walks: (walks, length) int64, negative behind a walk's end.
        nodes: how many there are.
        size: of the vectors.
        output: what tells a node's neighbours.
        window: the furthest neighbours; each place draws its own window from 1 to this.
        random: where chance comes from.
        check: called between batches.
        most_moves: pairs of a batch whose gradients a node takes whole.
    """
    vectors = first_vectors(nodes, size, random)
    number, length = walks.shape
    together = max(1, min(PLACES, nodes) // length)
    distance = (torch.arange(length) - torch.arange(length).unsqueeze(1)).abs()
    order = torch.randperm(number, generator=random)
    for first in range(0, number, together):
        check()
        batch = walks[order[first : first + together]]
        width = torch.randint(1, window + 1, (len(batch), length, 1), generator=random)
        held = batch >= 0
        near = (distance > 0) & (distance <= width) & held.unsqueeze(1) & held.unsqueeze(2)
        batch = batch.clamp(min=0)
        rate = RATE * max(1 - first / number, LEAST_RATE)
        pairs = near.float()
        _, gradient = output.learn(vectors[batch], batch, pairs, rate, random)
        moves = torch.zeros(nodes).index_add_(0, batch.flatten(), pairs.sum(2).flatten() * (1 + NEGATIVES))
        descend(vectors, batch, gradient * bounded(moves, most_moves)[batch].unsqueeze(2), rate)
        if vectors[batch].abs().max() > LONGEST:
            vectors.copy_(vectors.renorm(2, 0, LONGEST))
    return vectors


def visits(walks: Tensor, nodes: int) -> Tensor:
    """How often each node stands in the walks: (nodes,) int64."""
    return torch.bincount(walks[walks >= 0], minlength=nodes)
