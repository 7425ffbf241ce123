import re
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from benchmarks import graph_vectors
from model_serving.models.graph_vectors.graph import Graph
from model_serving.training.datasets.graphs import Dataset
from model_serving.training.graph_vectors.recipes import GRAPH_VECTORS


@pytest.fixture
def ring():
    """Twenty nodes in a ring, each also joined to the one after the next."""
    nodes = torch.arange(20)
    graph = Graph.of(20, nodes.repeat(2), torch.cat([(nodes + 1) % 20, (nodes + 2) % 20]))
    return Dataset("ring", [str(node) for node in range(20)], graph, nodes // 10, {})


def test_singular_vectors_are_those_of_numpy(ring):
    found = graph_vectors.by_svds(ring.graph, 4, 1)
    assert found.targets is not None
    dense = ring.graph.matrix().to_dense().numpy()
    values = np.linalg.svd(dense)[1]
    error = np.linalg.norm(dense - (found.sources @ found.targets.T).numpy())
    assert error == pytest.approx(np.sqrt((values[4:] ** 2).sum()), rel=1e-4)


def test_gensim_learns_from_our_walks(ring):
    way = graph_vectors.by_gensim(lambda graph, random: torch.arange(20).repeat(5, 2), hs=0, negative=2)
    found = way(ring.graph, 4, 1)
    assert found.sources.shape == (20, 4)
    assert found.sources.mean(0).tolist() == pytest.approx([0] * 4, abs=1e-6)


def test_spectral_vectors_of_a_ring_go_round(ring):
    found = graph_vectors.by_spectrum(ring.graph, 2, 1).sources
    steps = torch.linalg.norm(found - found.roll(1, 0), dim=1)
    assert steps.max() < torch.cdist(found, found).max() / 2


def test_a_map_shows_each_node_and_edge_inside_the_picture(ring):
    angles = torch.arange(20) * 2 * torch.pi / 20
    root = ElementTree.fromstring(graph_vectors.draw(ring, torch.stack([angles.sin(), angles.cos()], 1), "A & B"[:1]))
    circles = [element for element in root.iter() if element.tag.endswith("circle")]
    paths = [element for element in root.iter() if element.tag.endswith("path")]
    assert (len(circles), len(paths)) == (20, 40)
    assert len({circle.get("fill") for circle in circles}) == 2
    assert all(0 < float(circle.attrib["cx"]) < 720 and 0 < float(circle.attrib["cy"]) < 440 for circle in circles)


def test_every_method_is_timed_on_a_graph_of_its_own(monkeypatch):
    for name, recipe in GRAPH_VECTORS.items():
        if name != "HOPE":
            monkeypatch.setattr(recipe.model, "embed", lambda graph, size, random, check: check())
    report = graph_vectors.requests(30, 60)
    rows = re.findall(r"^\| (\w+) \| 30 nodes, 60 edges \| \S+ \| \S+ \|$", report, re.MULTILINE)
    assert rows == list(GRAPH_VECTORS)
