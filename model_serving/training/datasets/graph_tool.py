"""Graphs that the graph-tool library ships with, in its own binary format.

The format is described in the manual of graph-tool, "The gt file format": magic, version, byte order, comment, arcs by
their sources, then property maps of the graph, of nodes and of arcs.
"""

import gzip
import struct
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor

from model_serving.training.datasets.packages import DatasetError, DebianPackage

GRAPH_TOOL = DebianPackage.of(
    "python3-graph-tool",
    "2.45+ds-10",
    "0accca4737a50ce448c2cac1c07b04d9d49c7d2e4b64817f30e5692e41a80306",
    "LGPL-3+, as the package states; the graphs are by those named in each",
    "amd64",
)
_FOLDER = "usr/lib/python3/dist-packages/graph_tool/collection"
_MAGIC = "⛾ gt".encode()
_NUMBERS = ("B", "h", "i", "q", "d")
"""Types 0 to 4 as ``struct`` names them; 7 to 11 are lists of these, 6 is text and 13 lists of it."""
_OF_GRAPH, _OF_NODES, _OF_ARCS = range(3)


@dataclass(frozen=True)
class StoredGraph:
    """``sources`` and ``targets`` (arcs,) int64, and the values of each property of nodes and of arcs by its name."""

    nodes: int
    directed: bool
    sources: Tensor
    targets: Tensor
    of_nodes: dict[str, list[Any]]
    of_arcs: dict[str, list[Any]]


def load(name: str) -> StoredGraph:
    """One of the graphs of the package."""
    return read(gzip.decompress(_files()[f"{_FOLDER}/{name}.gt.gz"]))


@cache
def _files() -> dict[str, bytes]:
    """All graphs of the package at once, for its archive must be unpacked from the beginning."""
    return dict(GRAPH_TOOL.files(_FOLDER))


def read(content: bytes) -> StoredGraph:
    """The graph that a gt file holds.

    Raises:
        DatasetError: it is none.
    """
    if not content.startswith(_MAGIC) or len(content) < len(_MAGIC) + 2:
        raise DatasetError("This is no gt file")
    reader = _Reader(content, len(_MAGIC))
    version, big = reader.number("B"), reader.number("B")
    if version != 1:
        raise DatasetError(f"This gt file has version {version}, not 1")
    reader.order = ">" if big else "<"
    try:
        reader.text()
        return _graph(reader)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise DatasetError(f"This gt file is damaged: {error}") from error


class _Reader:
    def __init__(self, content: bytes, place: int):
        self._content = content
        self._place = place
        self.order = "<"

    def numbers(self, kind: str, count: int) -> tuple[Any, ...]:
        form = f"{self.order}{count}{kind}"
        values = struct.unpack_from(form, self._content, self._place)
        self._place += struct.calcsize(form)
        return values

    def number(self, kind: str) -> Any:
        return self.numbers(kind, 1)[0]

    def text(self) -> str:
        length = self.number("Q")
        self._place += length
        return self._content[self._place - length : self._place].decode("utf-8", errors="replace")

    def value(self, kind: int) -> Any:
        if kind < len(_NUMBERS):
            return self.number(_NUMBERS[kind])
        if kind == 13:
            return [self.text() for _ in range(self.number("Q"))]
        if 7 <= kind < 7 + len(_NUMBERS):
            return list(self.numbers(_NUMBERS[kind - 7], self.number("Q")))
        return self.text()


def _graph(reader: _Reader) -> StoredGraph:
    directed, nodes = bool(reader.number("B")), reader.number("Q")
    kind = next(kind for kind in "BHIQ" if nodes <= 2 ** (8 * struct.calcsize(f"<{kind}")))
    lists = [reader.numbers(kind, reader.number("Q")) for _ in range(nodes)]
    lengths = torch.tensor([len(targets) for targets in lists], dtype=torch.int64)
    targets = torch.tensor([target for targets in lists for target in targets], dtype=torch.int64)
    sizes = {_OF_GRAPH: 1, _OF_NODES: nodes, _OF_ARCS: len(targets)}
    maps: dict[int, dict[str, list[Any]]] = {key: {} for key in sizes}
    for _ in range(reader.number("Q")):
        key, name, value = reader.number("B"), reader.text(), reader.number("B")
        maps[key][name] = [reader.value(value) for _ in range(sizes[key])]
    sources = torch.arange(nodes).repeat_interleave(lengths)
    return StoredGraph(nodes, directed, sources, targets, maps[_OF_NODES], maps[_OF_ARCS])
