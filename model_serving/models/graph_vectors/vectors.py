"""The served model of the family: questions about nodes, of a trained graph or of one that comes with the question."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from model_serving.models import artifact
from model_serving.models.errors import AbandonedError, InputError
from model_serving.models.graph_vectors.graph import Graph, Nodes
from model_serving.models.graph_vectors.method import Embed, Vectors
from model_serving.models.packing import pack, unpack
from model_serving.models.space import DECIMALS, Place, Space

WORK_OF_A_NODE = 32
"""What one search adds to a batch."""

Answer = dict[str, Any]
Stop = Callable[[], bool]


class OwnGraph(NamedTuple):
    """A caller's graph with the names of its nodes and what is asked of it: nodes, or pairs of them."""

    names: list[str]
    graph: Graph
    asked: list[Any]


class Embedded:
    """The vectors of one graph, ready to be asked.

    Args:
        names: of the nodes.
        found: their vectors.
    """

    def __init__(self, names: Nodes, found: Vectors):
        self._found = found
        both = found.sources if found.targets is None else torch.cat([found.sources, found.targets], 1)
        self.space = Space(names, both)

    def link(self, source: int, target: int) -> float:
        """How likely an arc is: the cosine of its ends, or the product of vectors where they tell directions."""
        if self._found.targets is None:
            return min(1.0, max(-1.0, float(self.space.unit[source].double() @ self.space.unit[target].double())))
        return float(self._found.sources[source].double() @ self._found.targets[target].double())


class GraphVectors:
    """Answers questions about nodes.

    Args:
        trained: the vectors of each trained graph.
        embed: embeds a caller's graph.
    """

    def __init__(self, trained: Mapping[str, Embedded], embed: Embed):
        self._trained = trained
        self._embed = embed

    def cost(self, item: str | list[str] | OwnGraph) -> int:
        """The work an item makes; that of a caller's graph is counted by its nodes and arcs."""
        if isinstance(item, OwnGraph):
            return WORK_OF_A_NODE * (item.graph.nodes + item.graph.arcs + 1)
        return WORK_OF_A_NODE

    def predict(
        self,
        items: list[Any],
        *,
        action: str,
        graph: str | None = None,
        top: int = 10,
        stop: Stop = lambda: False,
        **settings: Any,
    ) -> list[Any]:
        """Answer each item.

        Args:
            items: nodes for ``vectors`` and ``neighbors``, pairs of nodes for ``links``; where no trained ``graph`` is
                named, graphs with lists of these.
            action: what is asked.
            graph: the trained graph that is asked.
            top: how many nodes answer ``neighbors``.
            stop: whether to give up a caller's graph, asked between the steps of its embedding.
            settings: of the embedding of a caller's graph, ``size`` and ``seed`` among them.

        Returns:
            One answer an item, for a graph the list of its answers; nodes that are not in the graph are marked as such.

        Raises:
            AbandonedError: ``stop`` said so.
        """
        if graph is not None:
            return _answers(self._trained[graph], items, action, top)
        embedded = [self._embedded(item, stop, **settings) for item in items]
        return [
            InputError("has no finite vectors with these settings; try another seed or other weights")
            if found is None
            else _answers(found, item.asked, action, top)
            for found, item in zip(embedded, items, strict=True)
        ]

    def _embedded(self, own: OwnGraph, stop: Stop, *, size: int, seed: int, **settings: Any) -> Embedded | None:
        """The vectors of a caller's graph; None where learning has not kept them finite."""

        def check() -> None:
            if stop():
                raise AbandonedError("nobody waits for these vectors any more")

        random = torch.Generator().manual_seed(seed)
        with torch.inference_mode(False):  # what is learned by gradients needs them
            found = self._embed(own.graph, size, random, check, **settings)
            finite = all(bool(torch.isfinite(side).all()) for side in found if side is not None)
            return Embedded(Nodes(own.names), found) if finite else None


def load(folder: Path, embed: Embed) -> GraphVectors:
    """The served vectors of all graphs in ``folder``, ready to embed others by ``embed``.

    Raises:
        ArtifactError: one can not be read.
    """
    cards = sorted(folder.glob(f"*/{artifact.CARD}"))
    return GraphVectors({card.parent.name: load_embedded(artifact.load(card.parent)) for card in cards}, embed)


def load_embedded(trained: artifact.Artifact) -> Embedded:
    """The vectors of one trained graph."""
    return Embedded(Nodes(trained.vocabulary["nodes"]), load_vectors(trained.weights))


def load_vectors(weights: Mapping[str, Tensor]) -> Vectors:
    """What :func:`pack_vectors` was given."""
    return Vectors(unpack(weights), unpack(weights, "targets") if "targets" in weights else None)


def pack_vectors(found: Vectors) -> dict[str, Tensor]:
    """Vectors as an artifact holds them, in eight bits."""
    return pack(found.sources) | ({} if found.targets is None else pack(found.targets, "targets"))


def _answers(embedded: Embedded, items: Sequence[Any], action: str, top: int) -> list[Answer]:
    if action == "links":
        return [_link(embedded, pair) for pair in items]
    places = [embedded.space.find(node) for node in items]
    if action == "vectors":
        return [_vector(node, place) for node, place in zip(items, places, strict=True)]
    return _neighbors(embedded.space, items, places, top)


def _vector(node: str, place: Place) -> Answer:
    numbers = None if place.vector is None else [round(number, DECIMALS) for number in place.vector.tolist()]
    return {"node": node, "known": place.row is not None, "vector": numbers}


_TOGETHER = 64
"""Nodes whose neighbours are searched for at once; the products of a search are in memory all at once."""


def _neighbors(space: Space, nodes: Sequence[str], places: list[Place], top: int) -> list[Answer]:
    found: dict[int, list[tuple[int, float]]] = {}
    rows = sorted({place.row for place in places if place.row is not None})
    for first in range(0, len(rows), _TOGETHER):
        part = rows[first : first + _TOGETHER]
        queries = space.unit[part].unsqueeze(1)
        found |= dict(zip(part, space.nearest(queries, top, [[row] for row in part]), strict=True))
    return [
        {
            "node": node,
            "known": place.row is not None,
            "neighbors": [
                {"node": space.words.symbols[row], "score": score}
                for row, score in ([] if place.row is None else found[place.row])
            ],
        }
        for node, place in zip(nodes, places, strict=True)
    ]


def _link(embedded: Embedded, pair: list[str]) -> Answer:
    rows = [embedded.space.words.row(node) for node in pair]
    source, target = rows
    score = None if source is None or target is None else round(embedded.link(source, target), DECIMALS)
    return {"nodes": pair, "known": [row is not None for row in rows], "score": score}
