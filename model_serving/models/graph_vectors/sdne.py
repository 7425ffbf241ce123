"""SDNE: each node's row of the adjacency matrix squeezed through a narrow layer, neighbours pulled together there.

Wang, Cui and Zhu, 2016, "Structural deep network embedding", KDD: second-order loss with the error of a node's edges
weighted beta times (equation 3), first-order loss (equation 4), both and a regularisation together (equation 5),
sigmoid layers (equation 1). It begins with random weights instead of those of a deep belief network, and learns by Adam
on blocks of nodes. Directions of arcs are left out of account.
"""

from itertools import pairwise
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import linear

from model_serving.models.graph_vectors import autoencoding, vectors
from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.method import Check, Vectors, centred, go_on
from model_serving.models.graph_vectors.vectors import GraphVectors

HIDDEN = 128
ALPHA = 0.2
BETA = 10.0
DECAY = 1e-5
EPOCHS = 200
RATE = 3e-3


class Network:
    """Two layers in, two out.

    Args:
        nodes: the width of a row.
        size: of the narrow layer.
        random: where first weights come from.
    """

    def __init__(self, nodes: int, size: int, random: torch.Generator):
        widths = [nodes, HIDDEN, size, HIDDEN, nodes]
        pairs = list(pairwise(widths))
        self.weights = [autoencoding.glorot(after, before, random) for before, after in pairs]
        self.biases = [torch.zeros(after) for _, after in pairs]

    def encode(self, rows: Tensor) -> Tensor:
        """(block, nodes) -> (block, size)."""
        return self._run(rows, 0, 2)

    def decode(self, codes: Tensor) -> Tensor:
        """(block, size) -> (block, nodes)."""
        return self._run(codes, 2, 4)

    def _run(self, values: Tensor, first: int, end: int) -> Tensor:
        for weight, bias in zip(self.weights[first:end], self.biases[first:end], strict=True):
            values = linear(values, weight, bias).sigmoid()
        return values


def second_order(rebuilt: Tensor, rows: Tensor, beta: float) -> Tensor:
    """Equation 3: squared errors, those of edges weighted ``beta`` times before they are squared."""
    return ((rebuilt - rows) * torch.where(rows > 0, beta, 1.0)).square().sum()


def first_order(codes: Tensor, rows: Tensor) -> Tensor:
    """Equation 4 within a block: squared distances of codes (n, size), weighted by the edges between them (n, n)."""
    squares = codes.square().sum(1)
    return (rows * (squares.unsqueeze(1) + squares - 2 * codes @ codes.T)).sum()


def embed(graph: Graph, size: int, random: torch.Generator, check: Check = go_on) -> Vectors:
    """See :data:`model_serving.models.graph_vectors.method.Embed`."""
    graph = graph.undirected()
    if not graph.arcs:
        return Vectors(torch.zeros(graph.nodes, size))
    rows = graph.matrix().to_dense()
    rows /= rows.max()
    network = Network(graph.nodes, size, random)

    def loss(block: Tensor) -> Tensor:
        given = rows[block]
        codes = network.encode(given)
        errors = second_order(network.decode(codes), given, BETA)
        near = first_order(codes, given[:, block])
        size_of_weights = torch.stack([weight.square().sum() for weight in network.weights]).sum()
        return (errors + ALPHA * near) / len(block) + DECAY * size_of_weights

    weights = sum(weight.numel() for weight in network.weights)
    autoencoding.learn(
        [*network.weights, *network.biases],
        loss,
        graph.nodes,
        epochs=autoencoding.epochs(EPOCHS, graph.nodes, weights),
        rate=RATE,
        random=random,
        check=check,
    )
    return Vectors(centred(graph, network.encode(rows)))


def load(folder: Path) -> GraphVectors:
    """The served vectors of all graphs in ``folder``."""
    return vectors.load(folder, embed)
