"""Walks over nodes of several types, by a scheme that says of which type the next is to be."""

from collections.abc import Sequence

import torch
from torch import Tensor

from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.walks import END
from model_serving.models.layers.alias import Alias


class TypedWalks:
    """Walks by a scheme of types, each step to a neighbour of the type in turn with the weights of arcs as chances.

    Dong, Chawla and Swami, 2017, "metapath2vec: scalable representation learning for heterogeneous networks", KDD,
    equation 3.

    Args:
        graph: where to walk.
    """

    def __init__(self, graph: Graph):
        self._kinds = int(graph.types.max()) + 1
        order = torch.argsort(graph.sources() * self._kinds + graph.types[graph.targets], stable=True)
        self._targets = graph.targets[order]
        groups = (graph.sources() * self._kinds + graph.types[graph.targets])[order]
        self._sizes = torch.bincount(groups, minlength=graph.nodes * self._kinds)
        offsets = torch.cat([torch.zeros(1, dtype=torch.int64), self._sizes.cumsum(0)])
        self._alias = Alias(graph.weights[order], offsets)

    def walk(self, starts: Tensor, scheme: Sequence[int], length: int, random: torch.Generator) -> Tensor:
        """Walks of at most ``length`` nodes from ``starts`` (walks,), of the first type of the scheme.

        Args:
            starts: (walks,) int64.
            scheme: types, the last the same as the first; the walk goes through it again and again.
            length: of the walks.
            random: where chance comes from.

        Returns:
            (walks, length) int64, ``END`` behind a walk's end.
        """
        nodes = [starts]
        for place in range(1, length):
            wanted = scheme[(place - 1) % (len(scheme) - 1) + 1]
            groups = nodes[-1] * self._kinds + wanted
            going = (nodes[-1] != END) & (self._sizes[groups.clamp(min=0)] > 0)
            found = torch.full_like(starts, END)
            found[going] = self._targets[self._alias.draw(groups[going], random)]
            nodes.append(found)
        return torch.stack(nodes, 1)


def round_trips(graph: Graph, furthest: int = 3) -> list[tuple[int, ...]]:
    """Schemes that any undirected graph has: from each type as far as other types follow on each other, and back.

    Args:
        graph: its arcs say which type may follow which; a type that follows itself makes a scheme of its own.
        furthest: steps of the way there.
    """
    joined = zip(graph.types[graph.sources()].tolist(), graph.types[graph.targets].tolist(), strict=True)
    after: dict[int, list[int]] = {}
    for one, other in sorted(set(joined)):
        after.setdefault(one, []).append(other)

    def ways(way: tuple[int, ...]) -> list[tuple[int, ...]]:
        further = [kind for kind in after[way[-1]] if kind not in way] if len(way) <= furthest else []
        return [found for kind in further for found in ways((*way, kind))] or [way]

    there = [way for kind in sorted(after) for way in ways((kind,)) if len(way) > 1]
    return [way + way[-2::-1] for way in there] + [(kind, kind) for kind in sorted(after) if kind in after[kind]]
