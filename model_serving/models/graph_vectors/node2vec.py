"""Node2Vec: DeepWalk with walks that are drawn back, stay near or go far, as p and q say.

Grover and Leskovec, 2016, "node2vec: scalable feature learning for networks", arXiv:1607.00653: section 3.2, skip-gram
against noise (equation 2), 10 walks of 80 nodes from each and windows of 10 (section 4.3). On graphs where that made
more than ``MOST_PLACES`` places fewer walks start at each node. Directions of arcs are left out of account: the vectors
have none, and walks would end where arcs do.
"""

from pathlib import Path

import torch

from model_serving.models.graph_vectors import skipgram, vectors
from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.method import Check, Vectors, centred, go_on
from model_serving.models.graph_vectors.vectors import GraphVectors
from model_serving.models.graph_vectors.walks import SecondOrder, starts
from model_serving.models.layers.outputs import NoiseOutput

WALKS = 10
LENGTH = 80
WINDOW = 10
MOST_PLACES = 2_000_000


def embed(
    graph: Graph, size: int, random: torch.Generator, check: Check = go_on, *, p: float = 1.0, q: float = 1.0
) -> Vectors:
    """See :data:`model_serving.models.graph_vectors.method.Embed`; ``p`` and ``q`` as in the paper."""
    graph = graph.undirected()
    if not graph.arcs:
        return Vectors(torch.zeros(graph.nodes, size))
    walks = SecondOrder(graph, p, q).walk(starts(graph, rounds(graph.nodes), random), LENGTH, random)
    output = NoiseOutput(skipgram.visits(walks, graph.nodes), size, skipgram.NEGATIVES, skipgram.MOST_MOVES)
    found = skipgram.learn(walks, graph.nodes, size, output, window=WINDOW, random=random, check=check)
    return Vectors(centred(graph, found))


def rounds(nodes: int) -> int:
    """How many walks start at each of so many nodes."""
    return skipgram.rounds(nodes, LENGTH, WALKS, MOST_PLACES)


def load(folder: Path) -> GraphVectors:
    """The served vectors of all graphs in ``folder``."""
    return vectors.load(folder, embed)
