"""Graphs in compressed sparse rows: the arcs of each node lie behind each other."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor


class Nodes:
    """Numbers nodes from 0 in their order; a name is looked up as it is written.

    Args:
        symbols: the names, each once.
    """

    def __init__(self, symbols: Iterable[str]):
        self.symbols = list(symbols)
        self._rows = {name: row for row, name in enumerate(self.symbols)}

    def __len__(self) -> int:
        return len(self.symbols)

    def row(self, name: str) -> int | None:
        """The row of a node, or None."""
        return self._rows.get(name)


@dataclass(frozen=True)
class Graph:
    """A directed graph with weights; an undirected one holds each edge as two arcs.

    ``offsets`` (nodes + 1,) int64: the arcs of node v are those from ``offsets[v]`` up to ``offsets[v + 1]``.
    ``targets`` (arcs,) int64, rising for each node; ``weights`` (arcs,) float32, above zero; ``types`` (nodes,) int64,
    all 0 where nodes are of one type; ``directed`` says whether an arc need not have its counterpart.
    """

    offsets: Tensor
    targets: Tensor
    weights: Tensor
    types: Tensor
    directed: bool

    @classmethod
    def of(
        cls,
        nodes: int,
        sources: Tensor,
        targets: Tensor,
        weights: Tensor | None = None,
        *,
        directed: bool = False,
        types: Tensor | None = None,
    ) -> "Graph":
        """A graph of some edges: weights of parallel ones are added, loops left out.

        Args:
            nodes: how many.
            sources: (edges,) int64.
            targets: (edges,) int64.
            weights: (edges,), above zero; left out, 1 each.
            directed: whether edges lead from source to target alone.
            types: (nodes,) int64 from 0.
        """
        weights = torch.ones(len(sources)) if weights is None else weights.float()
        kept = sources != targets
        sources, targets, weights = sources[kept], targets[kept], weights[kept]
        if not directed:
            sources, targets = torch.cat([sources, targets]), torch.cat([targets, sources])
            weights = weights.repeat(2)
        keys, places = torch.unique(sources * nodes + targets, return_inverse=True)
        total = torch.zeros(len(keys), dtype=torch.float64).index_add_(0, places, weights.double())
        offsets = torch.zeros(nodes + 1, dtype=torch.int64)
        if nodes:
            offsets[1:] = torch.bincount(keys // nodes, minlength=nodes).cumsum(0)
        types = torch.zeros(nodes, dtype=torch.int64) if types is None else types
        return cls(offsets, keys % max(nodes, 1), total.float(), types, directed)

    @property
    def nodes(self) -> int:
        """How many there are."""
        return len(self.offsets) - 1

    @property
    def arcs(self) -> int:
        """How many there are, an undirected edge being two."""
        return len(self.targets)

    def sources(self) -> Tensor:
        """Where each arc begins: (arcs,) int64."""
        return torch.arange(self.nodes).repeat_interleave(self.offsets.diff())

    def strengths(self) -> Tensor:
        """The weights of each node's arcs together: (nodes,)."""
        return torch.zeros(self.nodes).index_add_(0, self.sources(), self.weights)

    def undirected(self) -> "Graph":
        """The same graph with each arc walked both ways; itself where it already is."""
        if not self.directed:
            return self
        return Graph.of(self.nodes, self.sources(), self.targets, self.weights, types=self.types)

    def matrix(self, weights: Tensor | None = None) -> Tensor:
        """The adjacency matrix (nodes, nodes), sparse; with other ``weights`` (arcs,) where given."""
        places = torch.stack([self.sources(), self.targets])
        values = self.weights if weights is None else weights
        return torch.sparse_coo_tensor(
            places, values, (self.nodes, self.nodes), is_coalesced=True, check_invariants=False
        )

    def transitions(self) -> Tensor:
        """The weight of each arc as a share of those of its source: (arcs,)."""
        return self.weights / self.strengths()[self.sources()]


def transposed(matrix: Tensor) -> Tensor:
    """A sparse matrix turned over, its entries in order again."""
    return matrix.t().coalesce()
