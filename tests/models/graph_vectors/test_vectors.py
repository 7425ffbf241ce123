import pytest
import torch

from model_serving.models import artifact
from model_serving.models.errors import AbandonedError, InputError
from model_serving.models.graph_vectors import vectors
from model_serving.models.graph_vectors.graph import Nodes
from model_serving.models.graph_vectors.method import Vectors
from model_serving.models.graph_vectors.vectors import Embedded, GraphVectors, OwnGraph

SOURCES = torch.tensor([[1.0, 0.0], [0.8, 0.6], [0.0, 2.0], [0.0, 0.0]])
TARGETS = torch.tensor([[0.0, 1.0], [3.0, 0.0], [1.0, 1.0], [0.0, 0.0]])


def embed(graph, size, random, check, *, shift=0.0):
    """A method that puts nodes on a line, after a step."""
    check()
    return Vectors(torch.arange(graph.nodes).float().unsqueeze(1).expand(-1, size) + shift)


@pytest.fixture
def model():
    plain = Embedded(Nodes("abcz"), Vectors(SOURCES))
    directed = Embedded(Nodes("abcz"), Vectors(SOURCES, TARGETS))
    return GraphVectors({"plain": plain, "directed": directed}, embed)


def test_vectors_are_both_kinds_where_there_are_two(model):
    assert model.predict(["b", "x"], action="vectors", graph="plain") == [
        {"node": "b", "known": True, "vector": pytest.approx([0.8, 0.6])},
        {"node": "x", "known": False, "vector": None},
    ]
    (found,) = model.predict(["b"], action="vectors", graph="directed")
    assert found["vector"] == pytest.approx([0.8, 0.6, 3, 0])


def test_neighbours_are_by_the_cosine(model):
    (found, again) = model.predict(["a", "a"], action="neighbors", graph="plain", top=2)
    assert found == again
    assert [near["node"] for near in found["neighbors"]] == ["b", "c"]
    assert [near["score"] for near in found["neighbors"]] == pytest.approx([0.8, 0])


def test_links_are_cosines_or_products_by_direction(model):
    pairs = [["a", "b"], ["b", "a"], ["c", "c"], ["a", "x"], ["a", "z"]]
    plain = [found["score"] for found in model.predict(pairs, action="links", graph="plain")]
    assert plain == [pytest.approx(0.8, abs=1e-6), pytest.approx(0.8, abs=1e-6), 1, None, 0]
    directed = [found["score"] for found in model.predict(pairs, action="links", graph="directed")]
    assert directed == [3, pytest.approx(0.6, abs=1e-6), 2, None, 0]


def test_a_graph_is_embedded_with_the_settings_given(model, weighted):
    own = OwnGraph(list("vwxyz"), weighted, ["x"])
    (answers,) = model.predict([own], action="vectors", size=2, seed=1, shift=0.5)
    assert answers == [{"node": "x", "known": True, "vector": pytest.approx([2.5, 2.5])}]
    with pytest.raises(AbandonedError):
        model.predict([own], action="vectors", size=2, seed=1, stop=lambda: True)
    assert model.cost(own) > 100 * model.cost("x") / 32


def test_vectors_that_are_not_finite_are_the_callers_to_mend(model, weighted):
    own = OwnGraph(list("vwxyz"), weighted, ["x"])
    (answer,) = model.predict([own], action="vectors", size=2, seed=1, shift=float("nan"))
    assert isinstance(answer, InputError)


def test_what_is_packed_comes_back_from_its_folder(tmp_path):
    weights = vectors.pack_vectors(Vectors(SOURCES, TARGETS))
    artifact.save(tmp_path / "tiny", {"metrics": []}, weights, {"nodes": list("abcz")})
    loaded = vectors.load(tmp_path, embed)
    (found,) = loaded.predict(["c"], action="vectors", graph="tiny")
    assert found["vector"] == pytest.approx([0, 2, 1, 1], abs=0.02)
