"""Random walks, thousands at once: a step of all of them is a few look-ups in the arrays of the graph."""

import torch
from torch import Tensor

from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.layers.alias import Alias

END = -1
"""Stands in a walk where it could not go on."""


class FirstOrder:
    """Walks whose next node depends on the last alone, with the weights of its arcs as chances.

    Args:
        graph: where to walk.
    """

    def __init__(self, graph: Graph):
        self._graph = graph
        self._alias = Alias(graph.weights, graph.offsets)
        self.open = graph.offsets.diff() > 0

    def next(self, nodes: Tensor, random: torch.Generator) -> Tensor:
        """A neighbour of each node (walks,), ``END`` where it has none or was that already."""
        going = (nodes >= 0) & self.open[nodes]
        if going.all():
            return self._graph.targets[self._alias.draw(nodes, random)]
        found = torch.full_like(nodes, END)
        found[going] = self._graph.targets[self._alias.draw(nodes[going], random)]
        return found

    def walk(self, starts: Tensor, length: int, random: torch.Generator) -> Tensor:
        """Walks of at most ``length`` nodes from ``starts`` (walks,): (walks, length) int64."""
        nodes = [starts]
        while len(nodes) < length:
            nodes.append(self.next(nodes[-1], random))
        return torch.stack(nodes, 1)


class SecondOrder:
    """The biased walks of node2vec (Grover and Leskovec, 2016, arXiv:1607.00653, section 3.2.2).

    A step from v, come from t, goes to x with a chance proportional to the arc's weight, times 1/p where x is t, 1
    where t has an arc to x, 1/q elsewhere. The paper keeps an alias table for each arc walked, which takes memory by
    the square of degrees; here a step is drawn by the table of v and taken with the bias as its chance, else drawn
    anew, which is the same distribution. The way back, whose bias may be large, is drawn apart (Yang et al., 2019,
    "KnightKing", section 4.2).

    Args:
        graph: where to walk.
        p: the return parameter.
        q: the in-out parameter.
    """

    def __init__(self, graph: Graph, p: float, q: float):
        self._graph = graph
        self._first = FirstOrder(graph)
        self._keys = graph.sources() * graph.nodes + graph.targets
        self._strengths = graph.strengths()
        self._back, self._near, self._far = 1 / p, 1.0, 1 / q

    def walk(self, starts: Tensor, length: int, random: torch.Generator) -> Tensor:
        """Walks of at most ``length`` nodes from ``starts`` (walks,): (walks, length) int64."""
        if self._back == self._near == self._far:
            return self._first.walk(starts, length, random)
        nodes = [starts, self._first.next(starts, random)]
        while len(nodes) < length:
            nodes.append(self.next(nodes[-2], nodes[-1], random))
        return torch.stack(nodes[:length], 1)

    def next(self, before: Tensor, nodes: Tensor, random: torch.Generator) -> Tensor:
        """The node after ``nodes``, which came from ``before``, both (walks,)."""
        found = torch.full_like(nodes, END)
        waiting = ((nodes >= 0) & self._first.open[nodes]).nonzero().flatten()
        most = max(self._near, self._far)
        excess = self._excess(before[waiting], nodes[waiting], most)
        while len(waiting):
            t, v = before[waiting], nodes[waiting]
            chance = torch.rand(2, len(waiting), generator=random)
            x = torch.where(chance[0] < excess, t, self._first.next(v, random))
            taken = (chance[0] < excess) | (chance[1] * most < self._bias(t, x, most))
            found[waiting[taken]] = x[taken]
            waiting, excess = waiting[~taken], excess[~taken]
        return found

    def _excess(self, before: Tensor, nodes: Tensor, most: float) -> Tensor:
        """The chance of the part of the way back that lies above ``most``: (walks,)."""
        if self._back <= most:
            return torch.zeros(len(nodes))
        places, held = self._arcs(nodes, before)
        extra = (self._back - most) * self._graph.weights[places] * held
        return extra / (extra + most * self._strengths[nodes])

    def _bias(self, before: Tensor, nodes: Tensor, most: float) -> Tensor:
        near = self._arcs(before, nodes)[1]
        bias = torch.where(near, self._near, self._far)
        return torch.where(before == nodes, min(self._back, most), bias)

    def _arcs(self, sources: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Where arcs stand, and whether they are there at all."""
        wanted = sources * self._graph.nodes + targets
        places = torch.searchsorted(self._keys, wanted).clamp(max=len(self._keys) - 1)
        return places, self._keys[places] == wanted


def starts(graph: Graph, rounds: int, random: torch.Generator) -> Tensor:
    """Each node that has an arc ``rounds`` times, every round in an order of its own: (walks,) int64."""
    nodes = (graph.offsets.diff() > 0).nonzero().flatten()
    return torch.cat([nodes[torch.randperm(len(nodes), generator=random)] for _ in range(rounds)])
