import json
from pathlib import Path

import jsonschema
import pytest

from model_serving.resources import RESOURCES
from model_serving.resources.graph_vectors import MOST_EDGES, MOST_NODES, TypedGraphVectorResource

ROOT = Path(__file__).resolve().parents[2]
FAMILY = [resource for resource in RESOURCES if resource.family == "graph vectors"]
EDGES = [["a", "b"], ["b", "c", 2], ["c", "a"], [1, 2], [2, 3, 0.5], [3, 3], ["1", 2], ["alone", "alone"]]
NAMES = ["a", "b", "c", "1", "2", "3", "alone"]
TYPES = [[name, "even" if place % 2 else "odd"] for place, name in enumerate(NAMES)]
DIRECTED = ("APP", "HOPE")


@pytest.fixture
def client(real_app):
    return real_app.test_client()


@pytest.fixture(params=FAMILY, ids=lambda resource: resource.__name__)
def resource(request):
    return request.param


@pytest.fixture
def card(client, resource):
    return client.get(resource.href()).get_json()


@pytest.fixture
def post(client, resource):
    """Post a body to the model."""
    return lambda body: client.post(resource.href(), json=body)


@pytest.fixture
def own(resource):
    """A small graph of the caller's."""
    types = {"types": TYPES} if issubclass(resource, TypedGraphVectorResource) else {}
    return {"edges": EDGES, "dimensions": 4, **types}


@pytest.fixture
def names(resource):
    """Some nodes of the model's first trained graph."""
    folder = ROOT / "data" / resource.slug() / resource.graphs[0]
    return json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))["nodes"][:5]


def test_lists_and_single_items_of_a_trained_graph(post, card, names):
    asked = [*names, "nobody", ""]
    pairs = [[names[0], other] for other in asked]
    for action, field, items in (("vectors", "nodes", asked), ("neighbors", "nodes", asked), ("links", "pairs", pairs)):
        together = post({"action": action, field: items, "top": 3})
        assert together.status_code == 200, together.text
        jsonschema.validate(together.get_json(), card["response_schema"])
        alone = [post({"action": action, field: item, "top": 3}).get_json()["result"] for item in items]
        assert together.get_json()["result"] == alone
        assert post({"action": action, field: []}).get_json() == {"result": []}


def test_unknown_nodes_are_no_error(post, names):
    assert post({"action": "vectors", "nodes": "nobody"}).get_json()["result"] == {
        "node": "nobody", "known": False, "vector": None,
    }  # fmt: skip
    assert post({"action": "neighbors", "nodes": "nobody"}).get_json()["result"]["neighbors"] == []
    link = post({"action": "links", "pairs": [names[0], "nobody"]}).get_json()["result"]
    assert (link["known"], link["score"]) == ([True, False], None)


def test_neighbours_are_in_order_and_not_the_node_itself(post, names):
    for top in (1, 3):
        near = post({"action": "neighbors", "nodes": names[0], "top": top}).get_json()["result"]["neighbors"]
        scores = [found["score"] for found in near]
        assert len(near) == top
        assert scores == sorted(scores, reverse=True)
        assert names[0] not in [found["node"] for found in near]


def test_links_have_a_direction_where_the_method_and_the_graph_have(post, resource):
    pairs = [["dailykos.com", "atrios.blogspot.com"], ["instapundit.com", "powerlineblog.com"]]
    body = {"action": "links", "graph": "polblogs"}
    if "polblogs" not in resource.graphs:
        pairs, body = [["package:vim", "section:editors"]], {"action": "links"}
    there = post(body | {"pairs": pairs}).get_json()["result"]
    back = post(body | {"pairs": [pair[::-1] for pair in pairs]}).get_json()["result"]
    assert all(all(found["known"]) for found in there)
    differ = any(one["score"] != other["score"] for one, other in zip(there, back, strict=True))
    assert differ is (resource.__name__ in DIRECTED)


def test_a_graph_of_the_callers_is_embedded(post, card, own):
    answer = post(own | {"action": "vectors"})
    assert answer.status_code == 200, answer.text
    jsonschema.validate(answer.get_json(), card["response_schema"])
    found = answer.get_json()["result"]
    assert [item["node"] for item in found] == NAMES
    assert all(item["known"] and any(item["vector"]) for item in found[:-1])
    assert not any(found[-1]["vector"])  # a loop is no edge
    near = post(own | {"action": "neighbors", "nodes": ["a", "alone", "nobody"], "top": 2}).get_json()["result"]
    assert [item["known"] for item in near] == [True, True, False]
    assert {neighbour["score"] for neighbour in near[1]["neighbors"]} == {0}
    links = post(own | {"action": "links", "pairs": [["a", "b"], ["a", "alone"]]}).get_json()["result"]
    assert links[1]["score"] == 0


def test_the_same_seed_has_the_same_answer(post, own):
    one = post(own | {"action": "vectors", "seed": 7}).get_json()
    assert post(own | {"action": "vectors", "seed": 7.0}).get_json() == one


@pytest.mark.parametrize(("change", "path"), [
    ({"edges": [["a"]]}, "$.edges[0]"),
    ({"edges": [["a", "b", 1, 2]]}, "$.edges[0]"),
    ({"edges": [["a", "b"], ["a", True]]}, "$.edges[1][1]"),
    ({"edges": [["a", None]]}, "$.edges[0][1]"),
    ({"edges": [["a", 1.5]]}, "$.edges[0][1]"),
    ({"edges": [["a", "b" * 201]]}, "$.edges[0][1]"),
    ({"edges": [["a", "b", 0]]}, "$.edges[0][2]"),
    ({"edges": [["a", "b", -1]]}, "$.edges[0][2]"),
    ({"edges": [["a", "b", "1"]]}, "$.edges[0][2]"),
    ({"edges": [["a", "b", 1e9]]}, "$.edges[0][2]"),
    ({"edges": []}, "$.edges"),
    ({"edges": [[0, place] for place in range(MOST_NODES + 1)]}, "$.edges"),
    ({"edges": [[0, 1]] * (MOST_EDGES + 1)}, "$.edges"),
    ({"graph": "karate"}, "$.graph"),
    ({"dimensions": 1}, "$.dimensions"),
    ({"dimensions": 129}, "$.dimensions"),
    ({"seed": -1}, "$.seed"),
    ({"pairs": [["a", "b"]]}, "$.pairs"),
])  # fmt: skip
def test_bad_graphs_are_told_their_place(client, failed, change, path):
    body = {"action": "vectors", "edges": EDGES, "dimensions": 4} | change
    response = client.post("/v1/HOPE", json=body)
    assert failed(response, 400, response.get_json()["code"])["path"] == path


@pytest.mark.parametrize(("types", "path"), [
    (None, "$.types"),
    (TYPES[1:], "$.types"),
    ([*TYPES, ["a", "even"]], "$.types[7]"),
    ([*TYPES, ["a"]], "$.types[7]"),
    ([*TYPES, *([[f"x{kind}", kind] for kind in range(16)])], "$.types"),
])  # fmt: skip
def test_typed_graphs_need_the_kind_of_each_node(client, failed, types, path):
    body = {"action": "vectors", "edges": EDGES, "dimensions": 4} | ({} if types is None else {"types": types})
    response = client.post("/v1/HIN2Vec", json=body)
    assert failed(response, 400, response.get_json()["code"])["path"] == path


def test_pairs_of_the_wrong_length_and_missing_fields_are_told(post, failed, names):
    assert failed(post({"action": "links", "pairs": [names[:2], names[:3]]}), 400, "input")["path"] == "$.pairs[1]"
    assert failed(post({"action": "links", "pairs": names[:1]}), 400, "input")["path"] == "$.pairs"
    assert failed(post({"action": "links"}), 400, "input")["path"] == "$.pairs"
    assert failed(post({"action": "vectors"}), 400, "input")["path"] == "$.nodes"


def test_the_card_tells_the_limits_of_graphs(card):
    assert card["limits"]["graph_nodes"] == 5000
    assert card["limits"]["graph_edges"] == 50_000
    edges = card["request_schema"]["properties"]["edges"]
    assert edges["maxItems"] == 50_000
    assert "5,000 nodes" in edges["description"]


def test_a_deadline_stops_the_embedding(client, failed):
    edges = [[node, (node * 7 + step) % 3000] for node in range(3000) for step in (1, 2, 3)]
    body = {"action": "vectors", "edges": edges, "nodes": "1"}
    assert failed(client.post("/v1/DeepWalk", json=body, headers={"X-Request-Timeout": "1"}), 504, "deadline")
    assert client.post("/v1/HOPE", json={"action": "vectors", "edges": EDGES}).status_code == 200  # the lane is free


def test_the_family_keeps_to_its_budget():
    files = [path for resource in FAMILY for path in (ROOT / "data" / resource.slug()).rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 5 << 20
