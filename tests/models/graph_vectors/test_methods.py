import math

import pytest
import torch
from torch.nn.functional import normalize

from model_serving.models.errors import AbandonedError
from model_serving.models.graph_vectors import (
    app,
    deepwalk,
    dngr,
    grarep,
    hin2vec,
    hope,
    line,
    metapath2vec,
    node2vec,
    sdne,
)
from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.skipgram import rounds

METHODS = (deepwalk, node2vec, line, app, grarep, hope, sdne, dngr, metapath2vec, hin2vec)


@pytest.fixture(params=METHODS, ids=lambda module: module.__name__.rpartition(".")[2])
def method(request, monkeypatch):
    """Each method with little to do."""
    module = request.param
    for name, value in (("MOST_PLACES", 40_000), ("WALKS", 40), ("MOST_SAMPLES", 40_000)):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, value)
    return module


def embed(module, graph, seed=1, size=8, **settings):
    return module.embed(graph, size, torch.Generator().manual_seed(seed), **settings)


def test_a_community_lies_together(method, communities):
    found = embed(method, communities)
    unit = normalize(found.sources[:24], dim=1)
    likeness = unit @ unit.T
    same = (torch.arange(24) < 12).unsqueeze(0) == (torch.arange(24) < 12).unsqueeze(1)
    assert likeness[same].mean() > likeness[~same].mean() + 0.3


def test_the_same_seed_gives_the_same_vectors_and_a_node_alone_has_zeros(method, communities):
    one, other = embed(method, communities), embed(method, communities)
    assert torch.equal(one.sources, other.sources)
    assert one.sources.shape == (25, 8)
    assert torch.isfinite(one.sources).all()
    assert one.sources[24].tolist() == [0] * 8
    if one.targets is not None:
        assert torch.equal(one.targets, other.targets)
        assert one.targets[24].tolist() == [0] * 8


def test_graphs_without_edges_and_of_two_nodes_have_vectors(method):
    empty = torch.zeros(0, dtype=torch.int64)
    assert embed(method, Graph.of(1, empty, empty)).sources.tolist() == [[0] * 8]
    pair = Graph.of(2, torch.tensor([0]), torch.tensor([1]), directed=True, types=torch.tensor([0, 1]))
    assert torch.isfinite(embed(method, pair).sources).all()


def test_every_method_can_be_stopped_between_its_steps(method, communities):
    calls = []

    def check():
        calls.append(1)
        if len(calls) == 2:
            raise AbandonedError

    with pytest.raises(AbandonedError):
        method.embed(communities, 8, torch.Generator().manual_seed(1), check)


def test_methods_for_directions_tell_them(monkeypatch):
    monkeypatch.setattr(app, "MOST_SAMPLES", 60_000)
    nodes = torch.arange(40)
    ring = Graph.of(40, nodes, (nodes + 1) % 40, directed=True)
    for module, settings in ((app, {}), (hope, {}), (hope, {"proximity": "pagerank"})):
        found = embed(module, ring, **settings)
        forward = (found.sources * found.targets.roll(-1, 0)).sum(1)
        backward = (found.sources * found.targets.roll(1, 0)).sum(1)
        assert forward.mean() > backward.mean() + 0.1 * forward.mean().abs()


def proximities(dense):
    """Table 1 of HOPE's paper, with dense inverses."""
    identity = torch.eye(len(dense), dtype=torch.float64)
    factor = hope.DECAY / float(torch.linalg.eigvals(dense).abs().max())
    shares = dense / dense.sum(1, keepdim=True)
    return {
        "katz": torch.linalg.inv(identity - factor * dense) @ (factor * dense),
        "pagerank": (1 - hope.RESTART) * torch.linalg.inv(identity - hope.RESTART * shares),
        "common_neighbors": dense @ dense,
        "adamic_adar": dense @ torch.diag(1 / (dense.sum(0) + dense.sum(1))) @ dense,
    }


@pytest.mark.parametrize("name", hope.PROXIMITIES)
@pytest.mark.parametrize("graph", ["weighted", "directed"])
def test_hope_is_the_cut_of_the_proximity_by_dense_inverses(name, graph, request):
    graph = request.getfixturevalue(graph)
    expected = proximities(graph.matrix().to_dense().double())[name]
    products = hope.products_of(graph, name)
    identity = torch.eye(graph.nodes)
    tolerance = 0.1 if name == "katz" else 1e-4  # the bound on the eigenvalue is near it, not it
    torch.testing.assert_close(products.multiply(identity).double(), expected, rtol=tolerance, atol=1e-4)
    torch.testing.assert_close(products.multiply_transposed(identity), products.multiply(identity).T)
    found = embed(hope, graph, size=3, proximity=name)
    left, values, right = torch.linalg.svd(products.multiply(identity))
    best = left[:, :3] @ torch.diag(values[:3]) @ right[:3]
    error = torch.linalg.norm(found.sources @ found.targets.T - products.multiply(identity))
    least = torch.linalg.norm(best - products.multiply(identity))  # the same for any of equal values
    torch.testing.assert_close(error, least, rtol=1e-3, atol=1e-4)


def test_katz_with_the_factor_of_the_series_is_the_dense_inverse(directed):
    dense = directed.matrix().to_dense()
    factor = hope.DECAY / hope.largest_eigenvalue_bound(directed.matrix())
    expected = torch.linalg.inv(torch.eye(8) - factor * dense) @ (factor * dense)
    torch.testing.assert_close(hope.products_of(directed, "katz").multiply(torch.eye(8)), expected)


def test_a_graph_without_cycles_has_a_katz_proximity():
    graph = Graph.of(3, torch.tensor([0, 1]), torch.tensor([1, 2]), directed=True)
    found = embed(hope, graph, size=3)
    products = found.sources @ found.targets.T
    torch.testing.assert_close(products, torch.tensor([[0, 0.5, 0.25], [0, 0, 0.5], [0, 0, 0]]), atol=1e-4, rtol=0)


def test_grarep_is_the_cut_of_dense_matrices(weighted):
    dense = weighted.matrix().to_dense().double()
    shares = dense / dense.sum(1, keepdim=True)
    expected = []
    for step in (1, 2):
        chances = torch.linalg.matrix_power(shares, step)
        shifted = (chances / chances.sum(0) * 5).log().clamp(min=0)
        left, values, _ = torch.linalg.svd(shifted)
        part = left[:, :1] * values[:1].sqrt()
        expected.append(part - part.mean(0))
    found = embed(grarep, weighted, size=2, steps=2).sources.double()
    for column, part in enumerate(expected):
        torch.testing.assert_close(found[:, column].abs(), part[:, 0].abs(), rtol=1e-3, atol=1e-3)


def test_line_draws_arcs_by_their_weights(weighted, random):
    arcs = line.Arcs(weighted)
    sources, targets = arcs.draw(60_000, random)
    counts = torch.zeros(5, 5).index_put((sources, targets), torch.ones(60_000), accumulate=True) / 60_000
    dense = weighted.matrix().to_dense()
    torch.testing.assert_close(counts, dense / dense.sum(), atol=0.01, rtol=0)


def test_line_has_the_orders_asked_for(communities):
    both = embed(line, communities, order="both").sources
    assert torch.linalg.norm(both[:24, :4], dim=1).tolist() == pytest.approx([1] * 24, abs=1e-4)
    for order in ("first", "second"):
        lengths = torch.linalg.norm(embed(line, communities, order=order).sources[:24], dim=1)
        assert lengths.tolist() == pytest.approx([1] * 24, abs=1e-4)


def test_app_draws_the_ends_of_walks_that_stop_at_random(random):
    graph = Graph.of(3, torch.tensor([0, 1]), torch.tensor([1, 2]), directed=True)
    starts, ends = app.EndPoints(graph).draw(40_000, random)
    assert set(starts.tolist()) == {0, 1}
    from_first = ends[starts == 0]
    assert float((from_first == 1).float().mean()) == pytest.approx(app.STOP, abs=0.01)
    assert set(ends[starts == 1].tolist()) == {2}


def test_sdne_has_the_losses_of_the_paper(random):
    rows, rebuilt, codes = torch.tensor([[0, 2.0], [2.0, 0]]), torch.rand(2, 2), torch.rand(2, 3)
    by_hand = sum(((rebuilt[i, j] - rows[i, j]) * (5 if rows[i, j] else 1)) ** 2 for i in range(2) for j in range(2))
    assert float(sdne.second_order(rebuilt, rows, 5)) == pytest.approx(float(by_hand), rel=1e-5)
    near = sum(rows[i, j] * ((codes[i] - codes[j]) ** 2).sum() for i in range(2) for j in range(2))
    assert float(sdne.first_order(codes, rows)) == pytest.approx(float(near), rel=1e-4)


def test_dngr_surfs_and_informs_as_by_dense_powers(weighted):
    dense = weighted.matrix().to_dense()
    shares, here, met = dense / dense.sum(1, keepdim=True), torch.eye(5), torch.zeros(5, 5)
    for _ in range(3):
        here = 0.9 * here @ shares + 0.1 * torch.eye(5)
        met = met + here
    torch.testing.assert_close(dngr.surf(weighted, 3, 0.9), met)
    expected = [
        [max(0.0, math.log(float(met[i, j] * met.sum() / met[i].sum() / met[:, j].sum()))) if met[i, j] else 0.0
         for j in range(5)] for i in range(5)
    ]  # fmt: skip
    torch.testing.assert_close(dngr.information(met.clone()), torch.tensor(expected), atol=1e-5, rtol=1e-4)


def test_hin2vec_reads_relations_off_walks(monkeypatch):
    monkeypatch.setattr(hin2vec, "FURTHEST", 2)
    types = torch.tensor([0, 1, 0])
    known = hin2vec.facts(torch.tensor([[0, 1, 2], [0, 1, 0], [2, 1, -1]]), types)
    found = sorted(zip(map(tuple, known.ends.tolist()), known.relations.tolist(), strict=True))
    relation = dict(found)
    assert [ends for ends, _ in found] == [(0, 1), (0, 1), (0, 2), (1, 0), (1, 2), (2, 1)]
    assert relation[0, 1] == relation[2, 1]
    assert relation[1, 0] == relation[1, 2]
    assert len({relation[0, 1], relation[1, 0], relation[0, 2]}) == 3


def test_hin2vec_steps_along_the_gradient_of_its_loss(monkeypatch, random):
    learner = hin2vec.Learner(torch.tensor([0, 1, 0, 1, 0, 1]), 2, 3, random)
    learner.relations += torch.randn(2, 3, generator=random)
    drawn = torch.tensor([[3, 5, 5, 1, 3]])
    monkeypatch.setattr(learner, "alike", lambda nodes, _: drawn)
    monkeypatch.setattr(torch, "randint", lambda *_, **__: torch.tensor([[0]]))
    nodes, relations = (table.clone().requires_grad_() for table in (learner.nodes, learner.relations))
    product = nodes[0] * relations[1].sigmoid()
    loss = -(product @ nodes[1]).sigmoid().log() - (-(nodes[drawn[0]] @ product)).sigmoid().log().sum()
    loss.backward()
    told = learner.learn(hin2vec.Facts(torch.tensor([[0, 1]]), torch.tensor([1])), 0.1, random)
    assert told == pytest.approx(loss.item(), rel=1e-5)
    for table, before in ((learner.nodes, nodes), (learner.relations, relations)):
        assert before.grad is not None
        torch.testing.assert_close(table, (before - 0.1 * before.grad).detach())


def test_false_nodes_are_of_the_type_of_the_true_ones(random):
    types = torch.tensor([0, 2, 1, 2, 0, 1, 2])
    learner = hin2vec.Learner(types, 1, 4, random)
    asked = torch.randint(7, (200, 3), generator=random)
    drawn = learner.alike(asked, random)
    assert torch.equal(types[drawn], types[asked])
    assert set(drawn.flatten().tolist()) == set(range(7))


@pytest.mark.parametrize(("nodes", "expected"), [(10, 80), (1000, 25), (5000, 5), (10**6, 1)])
def test_walks_are_as_many_as_are_wanted_and_as_there_is_room_for(nodes, expected):
    assert rounds(nodes, 40, 80, 1_000_000) == expected
