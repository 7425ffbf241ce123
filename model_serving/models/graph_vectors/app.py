"""APP: a vector of a node as source and one as target, whose product tells where walks from the one end.

Zhou, Liu, Liu, Liu and Gao, 2017, "Scalable graph embedding for asymmetric proximity", AAAI: rooted PageRank by Monte-
Carlo end-point sampling (section 4.1), walks that stop with a chance of 0.15 at each node, the ends told from nodes
drawn evenly (equation 7). The paper leaves the number of samples open; a walk is cut behind ``LONGEST`` steps.
"""

from pathlib import Path

import torch
from torch import Tensor

from model_serving.models.graph_vectors import pairs, vectors
from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.method import Check, Vectors, go_on, without_isolated
from model_serving.models.graph_vectors.vectors import GraphVectors
from model_serving.models.graph_vectors.walks import END, FirstOrder
from model_serving.models.layers.noise import Noise
from model_serving.models.layers.outputs import first_vectors

STOP = 0.15
LONGEST = 20
NEGATIVES = 5
ENDS = 10_000
"""Walks from each node, fewer where these made more than ``MOST_SAMPLES``."""
AT_ONCE = 4
"""Pairs learned at once for each node; more are faster."""
MOST_SAMPLES = 1_500_000


class EndPoints:
    """Draws nodes with the ends of walks from them.

    Args:
        graph: where to walk.
    """

    def __init__(self, graph: Graph):
        self._walks = FirstOrder(graph)
        self._starts = (graph.offsets.diff() > 0).nonzero().flatten()

    def draw(self, number: int, random: torch.Generator) -> tuple[Tensor, Tensor]:
        """So many nodes and the ends of a walk from each, of one step at least; it ends where it can not go on."""
        chosen = torch.randint(len(self._starts), (number,), generator=random)
        starts = self._starts[chosen]
        ends = self._walks.next(starts, random)
        going = torch.arange(number)
        for _ in range(LONGEST - 1):
            going = going[torch.rand(len(going), generator=random) >= STOP]
            after = self._walks.next(ends[going], random)
            going, after = going[after != END], after[after != END]
            ends[going] = after
        return starts, ends


def embed(graph: Graph, size: int, random: torch.Generator, check: Check = go_on) -> Vectors:
    """See :data:`model_serving.models.graph_vectors.method.Embed`."""
    sources = first_vectors(graph.nodes, size, random)
    targets = torch.zeros(graph.nodes, size)
    if graph.arcs:
        ends, noise = EndPoints(graph), Noise(torch.ones(graph.nodes))
        samples = min(MOST_SAMPLES, ENDS * graph.nodes)
        pairs.learn(
            sources,
            targets,
            ends.draw,
            noise,
            samples=samples,
            negatives=NEGATIVES,
            random=random,
            check=check,
            a_node=AT_ONCE,
        )
    return Vectors(without_isolated(graph, sources), without_isolated(graph, targets))


def load(folder: Path) -> GraphVectors:
    """The served vectors of all graphs in ``folder``."""
    return vectors.load(folder, embed)
