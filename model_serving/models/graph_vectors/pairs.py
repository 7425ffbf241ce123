"""Learning by pairs of nodes that belong together, told from pairs drawn at random."""

from collections.abc import Callable

import torch
from torch import Tensor

from model_serving.models.graph_vectors.method import Check
from model_serving.models.layers.noise import Noise
from model_serving.models.layers.outputs import SHARED_NOISE, bounded
from model_serving.models.layers.skipgram import descend, negative_sampling

RATE = 0.025
LEAST_RATE = 1e-4
MOST_TOGETHER = 1024
"""Pairs of a batch; fewer on a small graph, for all of a batch move at once."""
MOST_MOVES = 64
"""Pairs of a batch, true and false, whose gradients a node takes whole: hubs would leap."""

Draw = Callable[[int, torch.Generator], tuple[Tensor, Tensor]]
"""Gives so many pairs: (n,) and (n,) int64."""


def learn(
    inputs: Tensor,
    outputs: Tensor,
    draw: Draw,
    noise: Noise,
    *,
    samples: int,
    negatives: int,
    random: torch.Generator,
    check: Check,
    a_node: float = 0.5,
) -> None:
    """Move vectors so that products tell drawn pairs from noise, the rate falling linearly to nothing.

    Args:
        inputs: (nodes, size), changed in place: of the first node of a pair.
        outputs: (nodes, size), likewise of the second; it may be the same table.
        draw: where pairs come from.
        noise: where second nodes of false pairs come from.
        samples: pairs to learn from.
        negatives: false pairs for each.
        random: where chance comes from.
        check: called between batches.
        a_node: pairs of a batch for each node of the graph.
    """
    together = max(16, min(MOST_TOGETHER, int(a_node * len(inputs))))
    pairs = torch.ones(together, 1, 1)
    false = torch.full((SHARED_NOISE,), together * negatives / SHARED_NOISE)
    for first in range(0, samples, together):
        check()
        rate = RATE * max(1 - first / samples, LEAST_RATE)
        sources, targets = (nodes.unsqueeze(1) for nodes in draw(together, random))
        drawn = noise.draw(SHARED_NOISE, random)
        step, of_noise = negative_sampling(inputs[sources], outputs[targets], pairs, outputs[drawn], negatives)
        moves = torch.bincount(sources.flatten(), minlength=len(inputs)) * (1.0 + negatives)
        descend(inputs, sources, step.inputs * bounded(moves, MOST_MOVES)[sources].unsqueeze(2), rate)
        moves = torch.bincount(targets.flatten(), minlength=len(outputs)).float()
        share = bounded(moves.index_add_(0, drawn, false), MOST_MOVES)
        descend(outputs, targets, step.outputs * share[targets].unsqueeze(2), rate)
        descend(outputs, drawn, of_noise * share[drawn].unsqueeze(1), rate)
