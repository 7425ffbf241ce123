"""What the ten methods have in common: a graph goes in, a vector for each node comes out."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from model_serving.models.graph_vectors.graph import Graph

Check = Callable[[], None]
"""Called between the steps of a computation; raises ``AbandonedError`` where it shall end."""


class Vectors(NamedTuple):
    """``sources`` (nodes, size); of a method that tells directions also ``targets`` (nodes, size)."""

    sources: Tensor
    targets: Tensor | None = None


Embed = Callable[..., Vectors]
"""Embeds a graph: ``embed(graph, size, random, check, **settings)`` gives vectors, zero for a node without arcs.

``graph`` has at least one node; ``size`` is that of the vectors; ``random`` a ``torch.Generator``, where all chance
comes from: the same graph, size, state and settings give the same vectors; ``check`` is called between steps;
``settings`` are the method's own.
"""


def go_on() -> None:
    """The check of a computation that nothing ends."""


def without_isolated(graph: Graph, vectors: Tensor) -> Tensor:
    """The vectors (nodes, size), zero where a node has no arc from it or to it."""
    return vectors * _met(graph)


def centred(graph: Graph, vectors: Tensor) -> Tensor:
    """The same with their mean taken away, for it says nothing of any node and blurs cosines.

    Mu and Viswanath, 2018, "All-but-the-top", arXiv:1702.01417, section 2, step 1.
    """
    met = _met(graph)
    return (vectors - (vectors * met).sum(0) / met.sum().clamp(min=1)) * met


def _met(graph: Graph) -> Tensor:
    met = torch.zeros(graph.nodes, 1)
    met[graph.sources()] = met[graph.targets] = 1
    return met
