"""GraRep: where walks of one step may end, of two, of three and of four, each matrix cut to a part of the vector.

Cao, Lu and Xu, 2015, "GraRep: learning graph representations with global structural information", CIKM: algorithm 1,
the positive part of log-shifted k-step chances (equation 11, beta one over the number of nodes), their singular value
decomposition (equation 14), four steps (section 5.2). Directions of arcs are left out of account.
"""

from pathlib import Path

import torch
from torch import Tensor

from model_serving.models.graph_vectors import vectors
from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.method import Check, Vectors, centred, go_on
from model_serving.models.graph_vectors.vectors import GraphVectors
from model_serving.models.layers import svd

STEPS = 4


def embed(graph: Graph, size: int, random: torch.Generator, check: Check = go_on, *, steps: int = STEPS) -> Vectors:
    """See :data:`model_serving.models.graph_vectors.method.Embed`; ``steps`` are those of the longest walks."""
    graph = graph.undirected()
    if not graph.arcs:
        return Vectors(torch.zeros(graph.nodes, size))
    backwards = graph.matrix(graph.transitions()).t().coalesce()
    chances = torch.eye(graph.nodes)
    parts = []
    for step in range(steps):
        check()
        chances = torch.sparse.mm(backwards, chances)  # turned over: [end, start]
        share = size // steps + (step < size % steps)
        check()
        found = svd.of_matrix(log_shifted(chances.T), share, random)
        parts.append(found.left * found.values.sqrt())
    return Vectors(centred(graph, torch.cat(parts, 1)))


def log_shifted(chances: Tensor) -> Tensor:
    """Equation 11 and its positive part, of the chances (starts, ends) of one number of steps."""
    shares = chances / chances.sum(0, keepdim=True).clamp(min=torch.finfo(torch.float32).tiny)
    return (shares * len(chances)).log_().clamp_(min=0)


def load(folder: Path) -> GraphVectors:
    """The served vectors of all graphs in ``folder``."""
    return vectors.load(folder, embed)
