"""Metapath2Vec: skip-gram over walks that keep to a scheme of types, like author, paper, author.

Dong, Chawla and Swami, 2017, "metapath2vec: scalable representation learning for heterogeneous networks", KDD: walks by
equation 3, skip-gram against noise by equation 5, windows of 7 (section 4.1), walks of 100 nodes; of the 1,000 from
each node ``WALKS``, fewer where they had more than ``MOST_PLACES`` places. The schemes lead from each type over others
as far as three steps and back, in equal parts. Directions of arcs are left out of account.
"""

from pathlib import Path

import torch

from model_serving.models.graph_vectors import skipgram, vectors
from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.method import Check, Vectors, centred, go_on
from model_serving.models.graph_vectors.typed_walks import TypedWalks, round_trips
from model_serving.models.graph_vectors.vectors import GraphVectors
from model_serving.models.layers.outputs import NoiseOutput

WALKS = 200
LENGTH = 100
WINDOW = 7
MOST_PLACES = 2_000_000


def embed(graph: Graph, size: int, random: torch.Generator, check: Check = go_on) -> Vectors:
    """See :data:`model_serving.models.graph_vectors.method.Embed`."""
    graph = graph.undirected()
    if not graph.arcs:
        return Vectors(torch.zeros(graph.nodes, size))
    schemes = round_trips(graph)
    wanted = max(1, min(WALKS, MOST_PLACES // (graph.nodes * LENGTH)) // 2)
    typed = TypedWalks(graph)
    parts = []
    for scheme in schemes:
        check()
        begin = (graph.types == scheme[0]).nonzero().flatten()
        ways = sum(other[0] == scheme[0] for other in schemes)
        starts = begin.repeat(max(1, 2 * wanted // ways))
        parts.append(typed.walk(starts, scheme, LENGTH, random))
    walks = torch.cat(parts)
    walks = walks[(walks >= 0).sum(1) > 1]
    output = NoiseOutput(skipgram.visits(walks, graph.nodes), size, skipgram.NEGATIVES, skipgram.MOST_MOVES)
    found = skipgram.learn(walks, graph.nodes, size, output, window=WINDOW, random=random, check=check)
    return Vectors(centred(graph, found))


def load(folder: Path) -> GraphVectors:
    """The served vectors of all graphs in ``folder``."""
    return vectors.load(folder, embed)
