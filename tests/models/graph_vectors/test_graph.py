import torch

from model_serving.models.graph_vectors.graph import Graph, Nodes, transposed


def test_parallel_edges_are_added_and_loops_left_out():
    sources, targets = torch.tensor([[0, 1], [1, 0], [2, 2], [0, 1]]).T
    graph = Graph.of(4, sources, targets, torch.tensor([1.0, 2.0, 5.0, 0.5]))
    assert graph.matrix().to_dense().tolist() == [[0, 3.5, 0, 0], [3.5, 0, 0, 0], [0] * 4, [0] * 4]
    assert graph.strengths().tolist() == [3.5, 3.5, 0, 0]
    directed = Graph.of(4, sources, targets, torch.tensor([1.0, 2.0, 5.0, 0.5]), directed=True)
    assert directed.matrix().to_dense()[:2, :2].tolist() == [[0, 1.5], [2, 0]]
    assert directed.undirected().matrix().to_dense()[:2, :2].tolist() == [[0, 3.5], [3.5, 0]]


def test_rows_are_those_of_the_adjacency_matrix(weighted):
    dense = weighted.matrix().to_dense()
    assert torch.equal(dense, dense.T)
    for node in range(weighted.nodes):
        arcs = slice(int(weighted.offsets[node]), int(weighted.offsets[node + 1]))
        assert weighted.targets[arcs].tolist() == dense[node].nonzero().flatten().tolist()
        assert torch.equal(weighted.weights[arcs], dense[node][dense[node] > 0])
    shares = weighted.matrix(weighted.transitions()).to_dense()
    torch.testing.assert_close(shares.sum(1), torch.ones(5))
    torch.testing.assert_close(transposed(weighted.matrix()).to_dense(), dense.T)


def test_a_graph_without_edges_has_empty_rows():
    empty = torch.zeros(0, dtype=torch.int64)
    graph = Graph.of(3, empty, empty)
    assert (graph.nodes, graph.arcs) == (3, 0)
    assert graph.strengths().tolist() == [0, 0, 0]


def test_names_are_looked_up_as_they_are_written():
    nodes = Nodes(["a", "A", ""])
    assert [nodes.row(name) for name in ("a", "A", "", "b")] == [0, 1, 2, None]
