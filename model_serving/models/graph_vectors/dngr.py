"""DNGR: where a random surfer is met, as information above chance, squeezed through a stack of autoencoders.

Cao, Lu and Xu, 2016, "Deep neural networks for learning graph representations", AAAI: random surfing (equation 1,
summed over steps), positive pointwise mutual information (section 3.2), a stacked denoising autoencoder learned layer
by layer, entries of its input put to zero at random (section 3.3). Directions of arcs are left out of account. Layers
are sigmoid going in and linear coming out, for information is not bounded by one.
"""

from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import linear

from model_serving.models.graph_vectors import autoencoding, vectors
from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.method import Check, Vectors, centred, go_on
from model_serving.models.graph_vectors.vectors import GraphVectors

STEPS = 10
GOING_ON = 0.98
"""Alpha, the chance of each step to go on; else it begins again."""
HIDDEN = 128
DROPPED = 0.2
EPOCHS = 200
RATE = 2e-3


def surf(graph: Graph, steps: int = STEPS, going_on: float = GOING_ON, check: Check = go_on) -> Tensor:
    """How often a surfer from each node is met at each within ``steps``, the start not counted: (nodes, nodes)."""
    backwards = graph.matrix(graph.transitions()).t().coalesce()
    start = torch.eye(graph.nodes)
    here, met = start, torch.zeros(graph.nodes, graph.nodes)
    for _ in range(steps):
        check()
        here = going_on * torch.sparse.mm(backwards, here) + (1 - going_on) * start
        met += here
    return met.T


def information(met: Tensor) -> Tensor:
    """Positive pointwise mutual information of a matrix of counts."""
    chance = met.sum(1, keepdim=True) * met.sum(0, keepdim=True)
    ratio = met * met.sum() / chance.clamp(min=torch.finfo(torch.float32).tiny)
    return ratio.log_().clamp_(min=0)


def embed(graph: Graph, size: int, random: torch.Generator, check: Check = go_on) -> Vectors:
    """See :data:`model_serving.models.graph_vectors.method.Embed`."""
    graph = graph.undirected()
    if not graph.arcs:
        return Vectors(torch.zeros(graph.nodes, size))
    values = information(surf(graph, check=check))
    check()
    values /= values.max().clamp(min=1)
    for width in (HIDDEN, size):
        values = _layer(values, width, random, check)
    return Vectors(centred(graph, values))


def _layer(values: Tensor, width: int, random: torch.Generator, check: Check) -> Tensor:
    """Learn one autoencoder to restore rows with entries dropped; give the codes (rows, width) of the whole ones."""
    rows, columns = values.shape
    inward, outward = autoencoding.glorot(width, columns, random), autoencoding.glorot(columns, width, random)
    bias, offset = torch.zeros(width), values.mean(0)
    scale = values.square().mean().clamp(min=1e-12)

    def loss(block: Tensor) -> Tensor:
        given = values[block]
        kept = given * (torch.rand(given.shape, generator=random) >= DROPPED)
        restored = linear(linear(kept, inward, bias).sigmoid(), outward, offset)
        return (restored - given).square().mean() / scale

    autoencoding.learn(
        [inward, outward, bias, offset],
        loss,
        rows,
        epochs=autoencoding.epochs(EPOCHS, rows, 2 * width * columns),
        rate=RATE,
        random=random,
        check=check,
    )
    return linear(values, inward, bias).sigmoid()


def load(folder: Path) -> GraphVectors:
    """The served vectors of all graphs in ``folder``."""
    return vectors.load(folder, embed)
