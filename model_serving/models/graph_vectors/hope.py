"""HOPE: source and target vectors whose products come closest to a proximity of all pairs of nodes.

Ou, Cui, Pei, Zhang and Zhu, 2016, "Asymmetric transitivity preserving graph embedding", KDD: a proximity is the product
of the inverse of one sparse matrix with another (table 1), whose largest singular values and vectors are found without
the inverse (section 3.3). The paper takes a Jacobi-Davidson method for the generalised problem; here it is block power
iteration, each product with the inverse being a series that ends (:class:`Proximity`).
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from model_serving.models.graph_vectors import vectors
from model_serving.models.graph_vectors.graph import Graph, transposed
from model_serving.models.graph_vectors.method import Check, Vectors, go_on, without_isolated
from model_serving.models.graph_vectors.vectors import GraphVectors
from model_serving.models.layers import svd

DECAY = 0.5
"""Katz: the factor of one step more, as a share of the largest for which the sum over all paths is finite."""
RESTART = 0.5
"""Rooted PageRank: the chance to go on."""
TERMS = 24
"""Of the series; what is left out is below a ten-millionth, both factors being a half."""
_POWERS = 64

PROXIMITIES = ("katz", "pagerank", "common_neighbors", "adamic_adar")


class Proximity(NamedTuple):
    """The products of a proximity matrix, (nodes, n) -> (nodes, n), and of its transpose."""

    multiply: svd.Product
    multiply_transposed: svd.Product


def products_of(graph: Graph, name: str) -> Proximity:
    """One of ``PROXIMITIES`` (section 3.2): over all paths, over walks that start again, by neighbours in common."""
    if name == "katz":
        steps = graph.matrix()
        factor = DECAY / largest_eigenvalue_bound(steps)
        return _both(steps, lambda ways: lambda x: factor * _series(ways, factor, torch.sparse.mm(ways, x)))
    if name == "pagerank":
        steps = graph.matrix(graph.transitions())
        return _both(steps, lambda ways: lambda x: (1 - RESTART) * _series(ways, RESTART, x))
    steps = graph.matrix()
    degrees = graph.strengths().index_add(0, graph.targets, graph.weights)
    worth = (
        torch.where(degrees > 0, 1 / degrees, 0).unsqueeze(1) if name == "adamic_adar" else torch.ones(graph.nodes, 1)
    )
    return _both(steps, lambda ways: lambda x: torch.sparse.mm(ways, worth * torch.sparse.mm(ways, x)))


def _both(steps: Tensor, product: Callable[[Tensor], svd.Product]) -> Proximity:
    return Proximity(product(steps), product(transposed(steps)))


def _series(steps: Tensor, factor: float, x: Tensor) -> Tensor:
    """(I - factor steps)^-1 x, by the sum of powers."""
    total = x
    for _ in range(TERMS):
        total = x + factor * torch.sparse.mm(steps, total)
    return total


def largest_eigenvalue_bound(matrix: Tensor) -> float:
    """A bound from above on the largest eigenvalue of a sparse matrix without negative entries, close to it.

    It is the 64th root of the largest row of the 64th power; for a graph without cycles, whose eigenvalues are zero,
    that is zero and the result is 1, for any factor will do.
    """
    row, logarithm = torch.ones(matrix.shape[0], 1), 0.0
    for _ in range(_POWERS):
        row = torch.sparse.mm(matrix, row)
        most = float(row.max())
        if most == 0:
            return 1.0
        logarithm += torch.tensor(most, dtype=torch.float64).log().item()
        row = row / most
    return float(torch.tensor(logarithm / _POWERS).exp())


def embed(
    graph: Graph, size: int, random: torch.Generator, check: Check = go_on, *, proximity: str = "katz"
) -> Vectors:
    """See :data:`model_serving.models.graph_vectors.method.Embed`; ``proximity`` is one of ``PROXIMITIES``."""
    if not graph.arcs:
        return Vectors(torch.zeros(graph.nodes, size), torch.zeros(graph.nodes, size))
    forward, backward = products_of(graph, proximity)

    def checked(product: svd.Product) -> svd.Product:
        def multiply(x: Tensor) -> Tensor:
            check()
            return product(x)

        return multiply

    found = svd.largest(checked(forward), checked(backward), graph.nodes, size, random)
    root = found.values.sqrt()
    return Vectors(without_isolated(graph, found.left * root), without_isolated(graph, found.right * root))


def load(folder: Path) -> GraphVectors:
    """The served vectors of all graphs in ``folder``."""
    return vectors.load(folder, embed)
