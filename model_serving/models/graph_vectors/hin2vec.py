"""HIN2Vec: whether a node is related to another in a certain way, a relation being the types on the way between them.

Fu, Lee and Lei, 2017, "HIN2Vec: explore meta-paths in heterogeneous information networks for representation
learning", CIKM: the chance of a relation r between x and y is the sigmoid of the sum of the products of their entries
and r's, which a sigmoid brings between 0 and 1 (section 4.1); pairs at most three steps apart on random walks,
relations by the types on the way (section 4.2); five false ones for each, in which x or y, never r, is changed for
another node of its type.
A node has one vector, in whichever place it stands. Directions of arcs are left out of account.
"""

from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from model_serving.models.graph_vectors import skipgram, vectors
from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.method import Check, Vectors, centred, go_on
from model_serving.models.graph_vectors.vectors import GraphVectors
from model_serving.models.graph_vectors.walks import FirstOrder, starts
from model_serving.models.layers.outputs import bounded, first_vectors
from model_serving.models.layers.skipgram import descend, logistic

WALKS = 10
LENGTH = 80
FURTHEST = 3
NEGATIVES = 5
RATE = 0.05
TOGETHER = 512
MOST_MOVES = 64
MOST_PLACES = 500_000


class Facts(NamedTuple):
    """Nodes that are related: ``ends`` (facts, 2) int64, and the number of the relation, ``relations`` (facts,)."""

    ends: Tensor
    relations: Tensor


def facts(walks: Tensor, types: Tensor) -> Facts:
    """All pairs at most ``FURTHEST`` steps apart on walks, the types on the way as relation; no node with itself."""
    kinds = int(types.max()) + 1
    ends, ways = [], []
    for steps in range(1, FURTHEST + 1):
        way = torch.full_like(walks[:, steps:], steps)
        for step in range(steps + 1):
            way = way * kinds + types[walks[:, step : walks.shape[1] - steps + step].clamp(min=0)]
        pairs = torch.stack([walks[:, :-steps], walks[:, steps:]], 2)
        held = (pairs[:, :, 1] >= 0) & (pairs[:, :, 0] != pairs[:, :, 1])
        ends.append(pairs[held])
        ways.append(way[held])
    return Facts(torch.cat(ends), torch.unique(torch.cat(ways), return_inverse=True)[1])


class Learner:
    """The vectors of nodes and of relations.

    Args:
        types: (nodes,) int64.
        relations: how many.
        size: of the vectors.
        random: where first vectors come from.
    """

    def __init__(self, types: Tensor, relations: int, size: int, random: torch.Generator):
        self.nodes = first_vectors(len(types), size, random) * size**0.5
        self.relations = torch.zeros(relations, size)
        self._order = torch.argsort(types, stable=True)
        self._sizes = torch.bincount(types)
        self._first = self._sizes.cumsum(0) - self._sizes
        self._types = types

    def learn(self, batch: Facts, rate: float, random: torch.Generator) -> float:
        """Take a step over some facts and false ones; give the mean loss of the true ones and theirs."""
        turned = torch.randint(2, (len(batch.ends), 1), generator=random)
        kept, changed = batch.ends.gather(1, turned), batch.ends.gather(1, 1 - turned)
        others = torch.cat([changed, self.alike(changed.expand(-1, NEGATIVES), random)], 1)
        gate = self.relations[batch.relations].sigmoid()
        x = self.nodes[kept[:, 0]]
        signs = torch.cat([torch.ones(1), -torch.ones(NEGATIVES)]).expand(len(kept), 1, -1)
        step = logistic((x * gate).unsqueeze(1), self.nodes[others], signs)
        of_product = step.inputs.squeeze(1)
        rows = torch.cat([kept, others], 1)
        gradient = torch.cat([(of_product * gate).unsqueeze(1), step.outputs], 1)
        moves = torch.bincount(rows.flatten(), minlength=len(self.nodes)).float()
        descend(self.nodes, rows, gradient * bounded(moves, MOST_MOVES)[rows].unsqueeze(2), rate)
        turns = torch.bincount(batch.relations, minlength=len(self.relations)).float()
        share = bounded(turns, MOST_MOVES)[batch.relations].unsqueeze(1)
        descend(self.relations, batch.relations, of_product * x * gate * (1 - gate) * share, rate)
        return float(step.loss) / len(kept)

    def alike(self, nodes: Tensor, random: torch.Generator) -> Tensor:
        """A node of the same type for each, drawn evenly: (...) int64."""
        types = self._types[nodes]
        drawn = (torch.rand(nodes.shape, generator=random) * self._sizes[types]).long()
        return self._order[self._first[types] + torch.minimum(drawn, self._sizes[types] - 1)]


def embed(graph: Graph, size: int, random: torch.Generator, check: Check = go_on) -> Vectors:
    """See :data:`model_serving.models.graph_vectors.method.Embed`."""
    graph = graph.undirected()
    if not graph.arcs:
        return Vectors(torch.zeros(graph.nodes, size))
    rounds = skipgram.rounds(graph.nodes, LENGTH, WALKS * 10, MOST_PLACES)
    known = facts(FirstOrder(graph).walk(starts(graph, rounds, random), LENGTH, random), graph.types)
    learner = Learner(graph.types, int(known.relations.max()) + 1, size, random)
    together = max(16, min(TOGETHER, graph.nodes))
    order = torch.randperm(len(known.ends), generator=random)
    for first in range(0, len(order), together):
        check()
        chosen = order[first : first + together]
        batch = Facts(known.ends[chosen], known.relations[chosen])
        learner.learn(batch, RATE * max(1 - first / len(order), skipgram.LEAST_RATE), random)
    return Vectors(centred(graph, learner.nodes))


def load(folder: Path) -> GraphVectors:
    """The served vectors of all graphs in ``folder``."""
    return vectors.load(folder, embed)
