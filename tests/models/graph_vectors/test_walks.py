import pytest
import torch

from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.typed_walks import TypedWalks, round_trips
from model_serving.models.graph_vectors.walks import END, FirstOrder, SecondOrder, starts

NUMBER = 40_000


def chances(graph, before, node, p, q):
    """Where node2vec goes from ``node``, come from ``before``, by enumeration of the paper's rule."""
    dense = graph.matrix().to_dense()
    bias = [1 / p if x == before else 1.0 if dense[before, x] > 0 else 1 / q for x in range(graph.nodes)]
    weights = dense[node] * torch.tensor(bias)
    return (weights / weights.sum()).tolist()


@pytest.mark.parametrize(("p", "q"), [(1, 1), (0.25, 4), (4, 0.25), (0.1, 0.1), (0.5, 2), (3, 5)])
def test_second_order_steps_have_the_chances_of_the_paper(weighted, random, p, q):
    walks = SecondOrder(weighted, p, q)
    dense = weighted.matrix().to_dense()
    for before, node in dense.nonzero().tolist():
        drawn = walks.next(torch.full((NUMBER,), before), torch.full((NUMBER,), node), random)
        shares = (torch.bincount(drawn, minlength=weighted.nodes) / NUMBER).tolist()
        assert shares == pytest.approx(chances(weighted, before, node, p, q), abs=0.015), (before, node)


def test_directed_walks_keep_to_the_direction_and_end(random):
    graph = Graph.of(4, torch.tensor([0, 1, 0]), torch.tensor([1, 2, 2]), directed=True)
    for walks in (FirstOrder(graph), SecondOrder(graph, 0.5, 2)):
        found = walks.walk(torch.tensor([0] * 50 + [3]), 4, random)
        assert {tuple(walk) for walk in found.tolist()} == {(0, 1, 2, END), (0, 2, END, END), (3, END, END, END)}


def test_walks_follow_arcs_and_start_everywhere(communities, random):
    begin = starts(communities, 3, random)
    assert torch.bincount(begin, minlength=25).tolist() == [3] * 24 + [0]
    dense = communities.matrix().to_dense()
    for walks in (FirstOrder(communities), SecondOrder(communities, 2, 0.5)):
        found = walks.walk(begin, 10, random)
        assert (dense[found[:, :-1], found[:, 1:]] > 0).all()


def test_first_order_steps_have_the_chances_of_the_weights(weighted, random):
    drawn = FirstOrder(weighted).next(torch.full((NUMBER,), 2), random)
    shares = (torch.bincount(drawn, minlength=5) / NUMBER).tolist()
    assert shares == pytest.approx([2 / 6.5, 3 / 6.5, 0, 1.5 / 6.5, 0], abs=0.01)


def test_typed_walks_keep_to_their_scheme_with_the_chances_of_the_weights(random):
    # authors 0 and 1, papers 2 and 3, venue 4
    sources, targets = torch.tensor([[0, 2], [1, 2], [1, 3], [2, 4], [3, 4]]).T
    weights = torch.tensor([1.0, 1.0, 3.0, 1.0, 1.0])
    graph = Graph.of(5, sources, targets, weights, types=torch.tensor([0, 0, 1, 1, 2]))
    walks = TypedWalks(graph).walk(torch.ones(NUMBER, dtype=torch.int64), (0, 1, 2, 1, 0), 5, random)
    assert graph.types[walks].unique(dim=0).tolist() == [[0, 1, 2, 1, 0]]
    assert float((walks[:, 1] == 3).float().mean()) == pytest.approx(0.75, abs=0.01)
    ended = TypedWalks(graph).walk(torch.tensor([0]), (0, 2, 0), 3, random)
    assert ended.tolist() == [[0, END, END]]
    assert set(round_trips(graph)) == {(0, 1, 2, 1, 0), (1, 0, 1), (1, 2, 1), (2, 1, 0, 1, 2)}
