import networkx as nx
import numpy as np
import pytest
import torch

from model_serving.models import artifact
from model_serving.models.graph_vectors import hope
from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.method import Vectors
from model_serving.training.datasets import graphs
from model_serving.training.datasets.graphs import Dataset
from model_serving.training.graph_vectors import links, training
from model_serving.training.graph_vectors.classification import classify, degree_features, split
from model_serving.training.graph_vectors.training import GraphVectorTraining


@pytest.fixture
def cliques():
    """Four cliques of ten nodes, each joined to the next by an edge."""
    edges = [(a + c, b + c) for c in range(0, 40, 10) for a in range(10) for b in range(a)]
    edges += [(c, c + 10) for c in range(0, 30, 10)]
    sources, targets = torch.tensor(edges).T
    labels = torch.arange(40) // 10
    return Dataset("cliques", [f"n{node}" for node in range(40)], Graph.of(40, sources, targets), labels, {
        "name": "cliques", "package": "none", "licence": "none", "sha256": "0",
    })  # fmt: skip


def test_classes_are_told_by_vectors_that_tell_them_and_not_by_others(cliques):
    exact = torch.eye(4)[cliques.labels]
    assert classify(exact, cliques.labels, 50, splits=3) == pytest.approx((100, 100))
    same = classify(torch.ones(40, 4), cliques.labels, 50, splits=3)
    assert same.micro < 40
    hidden = cliques.labels.clone()
    hidden[::2] = -1
    assert classify(exact, hidden, 50, splits=2).micro == 100


def test_splits_are_the_same_each_time_and_know_two_classes():
    classes = np.array([0] * 30 + [1])
    for number in range(5):
        known, asked = split(classes, 10, number)
        assert sorted([*known, *asked]) == list(range(31))
        assert len(known) == 3
        assert len(set(classes[known])) == 2
        assert (known == split(classes, 10, number)[0]).all()


@pytest.mark.parametrize("directed", [False, True])
def test_edges_held_out_are_gone_and_other_pairs_have_none(cliques, directed):
    whole = cliques.graph
    if directed:
        whole = Graph.of(40, whole.sources()[::3], whole.targets[::3], directed=True)
    held = links.hold_out(whole)
    dense, rest = whole.matrix().to_dense(), held.graph.matrix().to_dense()
    pairs = held.pairs
    assert (dense[tuple(pairs[:, held.linked])] > 0).all()
    assert (rest[tuple(pairs[:, held.linked])] == 0).all()
    assert (dense[tuple(pairs[:, ~held.linked])] == 0).all()
    assert (pairs[0] != pairs[1]).all()
    assert held.linked.sum() * 2 == len(held.linked)
    edges = whole.arcs if directed else whole.arcs // 2
    assert int(held.linked.sum()) == round(0.2 * edges)
    assert torch.equal(links.hold_out(whole).pairs, pairs)


def test_pairs_without_an_edge_are_of_the_types_of_edges():
    types = torch.tensor([0] * 10 + [1] * 10)
    sources = torch.arange(10)
    graph = Graph.of(20, sources.repeat(2), torch.cat([sources + 10, (sources + 1) % 10 + 10]), types=types)
    held = links.hold_out(graph)
    assert (types[held.pairs[0]] != types[held.pairs[1]]).all()


def test_simple_scores_are_those_of_networkx(cliques):
    graph = nx.Graph(torch.stack([cliques.graph.sources(), cliques.graph.targets], 1).tolist())
    pairs = torch.tensor([[0, 1], [0, 10], [1, 11], [5, 9], [0, 20]])
    common = links.common_neighbours(cliques.graph)(*pairs.T).tolist()
    assert common == [len(list(nx.common_neighbors(graph, *pair))) for pair in pairs.tolist()]
    adamic = links.adamic_adar(cliques.graph)(*pairs.T).tolist()
    assert adamic == pytest.approx([score for *_, score in nx.adamic_adar_index(graph, pairs.tolist())])


def test_vectors_score_as_the_service_does(cliques):
    held = links.hold_out(cliques.graph)
    exact = torch.eye(4)[cliques.labels]
    assert links.score(held, links.by_vectors(Vectors(exact))).area > 90
    both = links.by_vectors(Vectors(exact, exact * 2))
    assert both(torch.tensor([0]), torch.tensor([1])).tolist() == [2]


def test_degrees_are_known_without_vectors(cliques):
    features = degree_features(cliques.graph)
    assert features.shape == (40, 3)
    assert features[0, 1] == 10 / 11


def test_training_writes_an_artifact_whose_card_says_what_it_reaches(cliques, tmp_path, monkeypatch):
    monkeypatch.setattr(graphs, "load", lambda name: cliques)
    monkeypatch.setattr(training, "SIZES", {"cliques": 8})
    monkeypatch.setattr(training, "LABELLED", ("cliques",))
    monkeypatch.setattr(training, "LINKED", ("cliques",))
    recipe = GraphVectorTraining(hope, "a paper", variants=("cliques",))
    metrics = recipe.train("HOPE", tmp_path / "cliques", tmp_path / "none", 1)
    assert recipe.slug == "hope"
    card = artifact.cards(tmp_path)["cliques"]
    assert card["metrics"] == metrics == recipe.measure(tmp_path / "cliques")
    assert card["architecture"] == {"nodes": 40, "size": 8}
    told = {metric["metric"]: (metric["value"], metric["baseline"]["value"]) for metric in metrics}
    assert set(told) == {
        f"{way} F1 with {share} % known" for way in ("micro", "macro") for share in (10, 50, 90)
    } | {"AUC", "average precision"}  # fmt: skip
    assert told["micro F1 with 50 % known"][0] > 95 > told["micro F1 with 50 % known"][1]
    assert artifact.load(tmp_path / "cliques").vocabulary["nodes"] == cliques.names
