"""LINE: nodes joined by an edge get like vectors, and so do nodes with the same neighbours; each half a vector.

Tang, Qu, Wang, Zhang, Yan and Mei, 2015, "LINE: large-scale information network embedding", arXiv:1503.03578: first-
order proximity (equation 3) and second-order (equation 6), each against noise (equation 7, five false arcs for each,
nodes by degree to the power 3/4), arcs drawn by the alias method in proportion to their weights (section 4.2), the two
halves brought to length one and put together (section 5.1). First-order proximity knows no direction.
"""

from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import normalize

from model_serving.models.graph_vectors import pairs, vectors
from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.method import Check, Vectors, centred, go_on
from model_serving.models.graph_vectors.vectors import GraphVectors
from model_serving.models.layers.alias import Alias
from model_serving.models.layers.noise import Noise
from model_serving.models.layers.outputs import first_vectors

NEGATIVES = 5
EPOCHS = 300
"""Draws for each arc, fewer where these made more than ``MOST_SAMPLES``."""
MOST_SAMPLES = 2_000_000
ORDERS = ("both", "first", "second")


class Arcs:
    """Draws arcs in proportion to their weights.

    Args:
        graph: whose arcs.
    """

    def __init__(self, graph: Graph):
        self._alias = Alias(graph.weights)
        self._sources = graph.sources()
        self._targets = graph.targets

    def draw(self, number: int, random: torch.Generator) -> tuple[Tensor, Tensor]:
        """So many arcs: their sources and targets."""
        places = self._alias.draw(torch.zeros(number, dtype=torch.int64), random)
        return self._sources[places], self._targets[places]


def embed(graph: Graph, size: int, random: torch.Generator, check: Check = go_on, *, order: str = "both") -> Vectors:
    """See :data:`model_serving.models.graph_vectors.method.Embed`; ``order`` is one of ``ORDERS``."""
    if not graph.arcs:
        return Vectors(torch.zeros(graph.nodes, size))
    halves = {"both": [size // 2, size - size // 2], "first": [size, 0], "second": [0, size]}[order]
    first = _half(graph.undirected(), halves[0], random, check, second_order=False)
    second = _half(graph, halves[1], random, check, second_order=True)
    return Vectors(torch.cat([normalize(centred(graph, half), dim=1) for half in (first, second)], 1))


def _half(graph: Graph, size: int, random: torch.Generator, check: Check, *, second_order: bool) -> Tensor:
    nodes = first_vectors(graph.nodes, size, random) if size else torch.zeros(graph.nodes, 0)
    if size:
        contexts = torch.zeros(graph.nodes, size) if second_order else nodes
        degrees = torch.zeros(graph.nodes).index_add_(0, graph.targets, graph.weights)
        samples = min(MOST_SAMPLES, EPOCHS * graph.arcs)
        arcs, noise = Arcs(graph), Noise(degrees)
        pairs.learn(nodes, contexts, arcs.draw, noise, samples=samples, negatives=NEGATIVES, random=random, check=check)
    return nodes


def load(folder: Path) -> GraphVectors:
    """The served vectors of all graphs in ``folder``."""
    return vectors.load(folder, embed)
