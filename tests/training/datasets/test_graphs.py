import struct

import pytest
import torch

from model_serving.training.datasets import debian_index, graphs
from model_serving.training.datasets.graph_tool import read
from model_serving.training.datasets.packages import DatasetError


def text(value):
    return struct.pack("<Q", len(value.encode())) + value.encode()


def gt_file(order="<", directed=1, version=1):
    """Three nodes, arcs 0 -> 1, 0 -> 2 and 2 -> 0, with properties of each kind."""
    parts = ["⛾ gt".encode(), struct.pack("BB", version, order == ">")]

    def number(kind, *values):
        return struct.pack(f"{order}{len(values)}{kind}", *values)

    def written(value):
        return number("Q", len(value.encode())) + value.encode()

    parts += [written("comment"), number("B", directed), number("Q", 3)]
    parts += [number("Q", 2), number("B", 1, 2), number("Q", 0), number("Q", 1), number("B", 0)]
    parts.append(number("Q", 4))
    parts += [number("B", 0), written("readme"), number("B", 6), written("Read me")]
    parts += [number("B", 1), written("label"), number("B", 6), written("é"), written("b"), written("")]
    parts += [number("B", 1), written("place"), number("B", 11)]
    parts += [number("Q", 2) + number("d", node, 0.5) for node in range(3)]
    parts += [number("B", 2), written("value"), number("B", 4), number("d", 1.5, 2.5, 3.5)]
    return b"".join(parts)


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_graph_is_read_with_its_properties(order):
    graph = read(gt_file(order))
    assert (graph.nodes, graph.directed) == (3, True)
    assert graph.sources.tolist() == [0, 0, 2]
    assert graph.targets.tolist() == [1, 2, 0]
    assert graph.of_nodes == {"label": ["é", "b", ""], "place": [[0.0, 0.5], [1.0, 0.5], [2.0, 0.5]]}
    assert graph.of_arcs == {"value": [1.5, 2.5, 3.5]}


@pytest.mark.parametrize("content", [b"", b"no graph at all", gt_file(version=2), gt_file()[:60]])
def test_what_is_no_graph_is_refused(content):
    with pytest.raises(DatasetError):
        read(content)


INDEX = """Package: alpha
Source: greek (1.2)
Maintainer: "Ann Other" <ann@example.org>
Section: editors
Description: first
 Section: not this one

Package: beta
Maintainer: Bob <bob@example.org>
Section: mail
"""


def test_packages_are_read_off_the_index():
    assert list(debian_index.read(INDEX.split("\n"))) == [
        debian_index.Entry("alpha", "greek", "Ann Other", "editors"),
        debian_index.Entry("beta", "beta", "Bob", "mail"),
    ]


def test_the_index_is_a_graph_of_four_kinds_whose_sections_can_be_hidden():
    entries = list(debian_index.read(INDEX.split("\n")))
    whole, hidden = (graphs.of_entries(entries, sections) for sections in (True, False))
    assert set(whole.names) - set(hidden.names) == {"section:editors", "section:mail"}
    kinds = {name: debian_index.KINDS[int(kind)] for name, kind in zip(whole.names, whole.graph.types, strict=True)}
    assert all(name.startswith(f"{kind}:") for name, kind in kinds.items())
    assert whole.graph.arcs == hidden.graph.arcs + 4
    arcs = torch.stack([hidden.graph.sources(), hidden.graph.targets], 1).tolist()
    named = {tuple(hidden.names[end] for end in arc) for arc in arcs}
    assert ("package:alpha", "source:greek") in named
    assert ("source:greek", "maintainer:Ann Other") in named
    assert hidden.labels is not None
    labels = dict(zip(hidden.names, hidden.labels.tolist(), strict=True))
    assert (labels["package:alpha"], labels["package:beta"], labels["source:greek"]) == (0, 1, -1)


def test_the_karate_club_has_its_two_parts():
    club = graphs.load("karate")
    assert (club.graph.nodes, club.graph.arcs) == (34, 156)
    assert club.labels is not None
    assert club.labels.bincount().tolist() == [17, 17]
    assert club.labels[0] != club.labels[33]
