"""The graphs that vectors are trained and measured on.

Zachary, 1977 (karate); Girvan and Newman, 2002 (football); Krebs, 2004 (polbooks); Adamic and Glance, 2005 (polblogs);
Newman, 2006 (netscience); Watts and Strogatz, 1998 (power); Newman, 2001 (hep-th); Debian's index of packages (debian).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import networkx as nx
import torch
from torch import Tensor

from model_serving.models.graph_vectors.graph import Graph
from model_serving.training.datasets import debian_index, graph_tool
from model_serving.training.datasets.debian_index import DEBIAN_INDEX, KINDS, Entry
from model_serving.training.datasets.graph_tool import GRAPH_TOOL
from model_serving.training.datasets.packages import Package, PyPIPackage

NETWORKX = PyPIPackage(
    name="networkx",
    version="3.6.1",
    archive="networkx-3.6.1-py3-none-any.whl",
    sha256="d47fbf302e7d9cbbb9e2555a0d267983d2aa476bac30e90dfbe5669bd57f3762",
    licence="BSD-3-Clause",
)
PACKAGES: tuple[Package, ...] = (GRAPH_TOOL, NETWORKX, DEBIAN_INDEX)


@dataclass(frozen=True)
class Dataset:
    """A graph with the names of its nodes and what a card says of its ``source``.

    ``labels`` (nodes,) int64 where it has classes, -1 for a node of none; ``kinds`` are the names of types of nodes.
    """

    name: str
    names: list[str]
    graph: Graph
    labels: Tensor | None
    source: dict[str, str]
    kinds: Sequence[str] = ()


def load(name: str) -> Dataset:
    """One of :data:`GRAPHS`."""
    return GRAPHS[name]()


def debian(sections: bool = True) -> Dataset:
    """Packages with their sources and sections, sources with their maintainers; a package's label is its section.

    Args:
        sections: whether sections are in the graph too, which makes no sense where they shall be found.
    """
    return of_entries(debian_index.load(), sections)


def of_entries(entries: Sequence[Entry], sections: bool) -> Dataset:
    """See :func:`debian`."""
    numbers: dict[tuple[str, str], int] = {}

    def number(kind: str, name: str) -> int:
        return numbers.setdefault((kind, name), len(numbers))

    edges = set()
    for entry in entries:
        package, source = number("package", entry.package), number("source", entry.source)
        edges |= {(package, source), (source, number("maintainer", entry.maintainer))}
        if sections:
            edges.add((package, number("section", entry.section)))
    classes = sorted({entry.section for entry in entries})
    labels = torch.full((len(numbers),), -1)
    for entry in entries:
        labels[numbers["package", entry.package]] = classes.index(entry.section)
    types = torch.tensor([KINDS.index(kind) for kind, _ in numbers])
    sources, targets = torch.tensor(sorted(edges)).T
    graph = Graph.of(len(numbers), sources, targets, types=types)
    names = [f"{kind}:{name}" for kind, name in numbers]
    return Dataset("debian", names, graph, labels, DEBIAN_INDEX.card("Debian package index"), KINDS)


def _karate() -> Dataset:
    club = nx.karate_club_graph()
    sources, targets = torch.tensor(list(club.edges)).T
    clubs = [club.nodes[node]["club"] for node in club]
    labels = torch.tensor([sorted(set(clubs)).index(name) for name in clubs])
    names = [str(node + 1) for node in club]
    return Dataset("karate", names, Graph.of(len(names), sources, targets), labels, NETWORKX.card("karate club"))


def _stored(name: str, label: str | None = None, *, names: str | None = "label") -> Callable[[], Dataset]:
    """A graph of graph-tool's, its nodes without any arc left out; ``label`` and ``names`` are properties of nodes."""

    def load() -> Dataset:
        held = graph_tool.load(name)
        met = torch.unique(torch.cat([held.sources, held.targets]))
        places = torch.full((held.nodes,), -1).index_copy(0, met, torch.arange(len(met)))
        called = _apart(held.of_nodes[names]) if names else [str(node + 1) for node in range(held.nodes)]
        graph = Graph.of(len(met), places[held.sources], places[held.targets], directed=held.directed)
        labels = None
        if label:
            values = held.of_nodes[label]
            classes = sorted(set(values))
            labels = torch.tensor([classes.index(values[node]) for node in met.tolist()])
        source = GRAPH_TOOL.card(name)
        return Dataset(name, [called[node] for node in met.tolist()], graph, labels, source)

    return load


def _apart(names: Sequence[str]) -> list[str]:
    """Names, those that stand for two nodes numbered."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found


GRAPHS: dict[str, Callable[[], Dataset]] = {
    "karate": _karate,
    "football": _stored("football", "value"),
    "polbooks": _stored("polbooks", "value"),
    "polblogs": _stored("polblogs", "value"),
    "netscience": _stored("netscience"),
    "power": _stored("power", names=None),
    "hep-th": _stored("hep-th"),
    "debian": debian,
}
