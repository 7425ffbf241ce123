import pytest
import torch

from model_serving.models.graph_vectors.graph import Graph


@pytest.fixture
def random():
    return torch.Generator().manual_seed(1)


@pytest.fixture
def weighted():
    """A small graph with a triangle, a tail, and weights: 0-1, 0-2, 1-2, 2-3, 3-4."""
    sources, targets = torch.tensor([[0, 1], [0, 2], [1, 2], [2, 3], [3, 4]]).T
    return Graph.of(5, sources, targets, torch.tensor([1.0, 2.0, 3.0, 1.5, 1.0]))


@pytest.fixture
def communities():
    """Two cliques of 12 nodes with one edge between them, and one node alone; types in turn."""
    edges = [(a + c, b + c) for c in (0, 12) for a in range(12) for b in range(a)]
    sources, targets = torch.tensor([*edges, (0, 12)]).T
    return Graph.of(25, sources, targets, types=torch.arange(25) % 2)


@pytest.fixture
def directed():
    """A ring of 8 nodes, each with an arc to the next and to the one after."""
    nodes = torch.arange(8)
    return Graph.of(8, nodes.repeat(2), torch.cat([(nodes + 1) % 8, (nodes + 2) % 8]), directed=True)
