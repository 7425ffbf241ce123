"""DeepWalk: nodes are words and walks sentences; nodes that meet the same nodes on walks get like vectors.

Perozzi, Al-Rfou and Skiena, 2014, "DeepWalk: online learning of social representations", arXiv:1403.6652: algorithms 1
and 2, skip-gram down a Huffman tree over nodes (section 4.2.2; the tree is ordered by visits), with 80 walks of 40
nodes from each and windows of 10 (section 6). Directions of arcs are left out of account. On graphs where that made
more than ``MOST_PLACES`` places, fewer walks start at each node.
"""

from pathlib import Path

import torch

from model_serving.models.graph_vectors import skipgram, vectors
from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.method import Check, Vectors, centred, go_on
from model_serving.models.graph_vectors.vectors import GraphVectors
from model_serving.models.graph_vectors.walks import FirstOrder, starts
from model_serving.models.layers.huffman import paths
from model_serving.models.layers.outputs import TreeOutput

WALKS = 80
LENGTH = 40
WINDOW = 10
MOST_PLACES = 1_000_000
MOST_MOVES = 512
"""More than against noise: the nodes of the tree pull a node to and fro, and with fewer moves classes blur."""


def embed(graph: Graph, size: int, random: torch.Generator, check: Check = go_on) -> Vectors:
    """See :data:`model_serving.models.graph_vectors.method.Embed`."""
    graph = graph.undirected()
    if not graph.arcs:
        return Vectors(torch.zeros(graph.nodes, size))
    rounds = skipgram.rounds(graph.nodes, LENGTH, WALKS, MOST_PLACES)
    walks = FirstOrder(graph).walk(starts(graph, rounds, random), LENGTH, random)
    output = TreeOutput(paths(skipgram.visits(walks, graph.nodes).tolist()), size, MOST_MOVES)
    found = skipgram.learn(
        walks, graph.nodes, size, output, window=WINDOW, random=random, check=check, most_moves=MOST_MOVES
    )
    return Vectors(centred(graph, found))


def load(folder: Path) -> GraphVectors:
    """The served vectors of all graphs in ``folder``."""
    return vectors.load(folder, embed)
