"""Link prediction: whether an edge that was held out is found likelier than a pair without one.

As in Grover and Leskovec, 2016, section 4.4: some edges are taken away, vectors are made of what is left. Pairs without
an edge are drawn once.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from torch import Tensor

from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.method import Vectors

HELD_OUT = 0.2
_SEED = 1

Likely = Callable[[Tensor, Tensor], Tensor]
"""Scores (pairs,) for sources and targets (pairs,)."""


class Held(NamedTuple):
    """``graph`` without the edges held out; ``pairs`` (2, n) int64, ``linked`` (n,) where one is such an edge."""

    graph: Graph
    pairs: Tensor
    linked: Tensor


class Scores(NamedTuple):
    """In points of 100."""

    area: float
    precision: float


def hold_out(graph: Graph, share: float = HELD_OUT, seed: int = _SEED) -> Held:
    """Take some edges away, and draw as many pairs that have none, of the same types of nodes as one of the edges."""
    random = torch.Generator().manual_seed(seed)
    sources, targets = graph.sources(), graph.targets
    if not graph.directed:
        once = sources < targets
        sources, targets = sources[once], targets[once]
    order = torch.randperm(len(sources), generator=random)
    away, left = order[: round(share * len(order))], order[round(share * len(order)) :]
    rest = Graph.of(graph.nodes, sources[left], targets[left], directed=graph.directed, types=graph.types)
    unlinked = _unlinked(graph, sources[away], targets[away], random)
    pairs = torch.cat([torch.stack([sources[away], targets[away]]), unlinked], 1)
    linked = torch.zeros(pairs.shape[1], dtype=torch.bool)
    linked[: len(away)] = True
    return Held(rest, pairs, linked)


def _unlinked(graph: Graph, sources: Tensor, targets: Tensor, random: torch.Generator) -> Tensor:
    """For each edge a pair of nodes of its ends' types without an arc: (2, edges)."""
    keys = graph.sources() * graph.nodes + graph.targets
    members = [(graph.types == kind).nonzero().flatten() for kind in range(int(graph.types.max()) + 1)]

    def like(nodes: Tensor) -> Tensor:
        drawn = torch.empty_like(nodes)
        for kind, held in enumerate(members):
            mine = graph.types[nodes] == kind
            drawn[mine] = held[torch.randint(len(held), (int(mine.sum()),), generator=random)]
        return drawn

    found = torch.stack([like(sources), like(targets)])
    while True:
        bad = (found[0] == found[1]) | torch.isin(found[0] * graph.nodes + found[1], keys)
        if not bad.any():
            return found
        found[:, bad] = torch.stack([like(sources[bad]), like(targets[bad])])


def score(held: Held, likely: Likely) -> Scores:
    """How well the scores tell edges from other pairs: area under the ROC curve, average precision."""
    found = likely(*held.pairs).double().numpy()
    linked = held.linked.numpy()
    return Scores(100 * float(roc_auc_score(linked, found)), 100 * float(average_precision_score(linked, found)))


def by_vectors(found: Vectors) -> Likely:
    """As the service scores links: the cosine, or the product of source and target vectors where there are both."""
    if found.targets is None:
        unit = torch.nn.functional.normalize(found.sources, dim=1)
        return lambda sources, targets: (unit[sources] * unit[targets]).sum(1)
    others = found.targets
    return lambda sources, targets: (found.sources[sources] * others[targets]).sum(1)


def common_neighbours(graph: Graph) -> Likely:
    """How many neighbours two nodes have in common (Liben-Nowell and Kleinberg, 2003)."""
    return _common(graph, torch.ones(graph.nodes))


def adamic_adar(graph: Graph) -> Likely:
    """The same, each counted by one over the logarithm of its degree (Adamic and Adar, 2003)."""
    degrees = graph.undirected().offsets.diff().double()
    return _common(graph, torch.where(degrees > 1, 1 / degrees.clamp(min=2).log(), 0.0).float())


def _common(graph: Graph, worth: Tensor) -> Likely:
    both = graph.undirected()
    rows = [set(row.tolist()) for row in torch.tensor_split(both.targets, both.offsets[1:-1])]
    worths = worth.tolist()

    def likely(sources: Tensor, targets: Tensor) -> Tensor:
        pairs = zip(sources.tolist(), targets.tolist(), strict=True)
        return torch.tensor([sum(worths[node] for node in rows[one] & rows[other]) for one, other in pairs])

    return likely
