from pathlib import Path

import jsonschema
import pytest

from model_serving.resources import RESOURCES

ROOT = Path(__file__).resolve().parents[2]
FAMILY = [resource for resource in RESOURCES if resource.family == "word vectors"]
ITEMS = {
    "vectors": ("words", ["北京", "the", "", "上海", "ｋｉｎｇ", "龘龘", "nan"]),
    "neighbors": ("words", ["北京", "the", "", "经济", "king", "龘龘", "的"]),
    "similarity": ("pairs", [["北京", "上海"], ["king", "queen"], ["龘龘", "北京"], ["", ""], ["北京", "北京"]]),
    "analogy": ("analogies", [["中国", "北京", "日本"], ["man", "king", "woman"], ["北京"] * 3, ["", "a", "龘"]]),
    "odd_one_out": ("groups", [["北京", "上海", "经济"], ["king", "queen", "apple"], ["", "龘", "x"], ["书"] * 5]),
    "next": ("contexts", [[], ["中国"], ["龘龘", ""], ["中国", "人民", "解放军"] * 3]),
}
WRONG = {"similarity": ["北京"], "analogy": ["北京", "上海"], "odd_one_out": ["北京", "上海"]}


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
def questions(card):
    """A body for every action in every language, its items left out, with the field of the items and some items."""
    properties = card["request_schema"]["properties"]
    return [
        ({"action": action, "language": language, "top": 7}, *ITEMS[action])
        for action in properties["action"]["enum"]
        for language in properties["language"]["enum"]
    ]


@pytest.fixture
def post(client, resource):
    """Post a body to the model."""
    return lambda body: client.post(resource.href(), json=body)


def test_a_list_is_answered_as_its_items_alone(post, card, questions):
    for body, field, items in questions:
        together = post(body | {field: items})
        assert together.status_code == 200, together.text
        jsonschema.validate(together.get_json(), card["response_schema"])
        alone = [post(body | {field: [item]}).get_json()["result"][0] for item in items]
        assert together.get_json()["result"] == alone


def test_a_single_item_has_a_single_answer(post, card, questions):
    for body, field, items in questions:
        item = next(item for item in items if item)
        single = post(body | {field: item}).get_json()
        jsonschema.validate(single, card["response_schema"])
        assert single["result"] == post(body | {field: [item]}).get_json()["result"][0]


def test_no_items_have_no_answers(post, questions):
    for body, field, _ in questions:
        assert post(body | {field: []}).get_json() == {"result": []}


def test_items_of_the_wrong_length_are_told_their_place(post, questions, failed):
    for body, field, items in questions:
        if wrong := WRONG.get(body["action"]):
            assert failed(post(body | {field: [items[0], wrong]}), 400, "input")["path"] == f"$.{field}[1]"
            assert failed(post(body | {field: wrong}), 400, "input")["path"] == f"$.{field}"


def test_a_mixed_list_is_told_its_place(post, questions, failed):
    for body, field, items in questions:
        if field != "words":
            assert failed(post(body | {field: [items[0], "北京"]}), 400, "input")["path"] == f"$.{field}[1]"
            assert failed(post(body | {field: ["北京", items[0]]}), 400, "input")["path"] == f"$.{field}[1]"


def test_the_field_of_the_action_is_needed_and_no_other_goes_with_it(post, questions, failed):
    for body, field, items in questions:
        assert failed(post(body), 400, "input")["path"] == f"$.{field}"
        other = "pairs" if field == "words" else "words"
        assert failed(post(body | {field: items, other: ["北京"]}), 400, "input")["path"] == f"$.{other}"


@pytest.mark.parametrize("top", [0, -1, 101, 10**9, 1.5, "3", None])
def test_a_number_of_answers_out_of_bounds_is_refused(post, top, failed):
    body = {"action": "neighbors", "words": "北京", "top": top}
    assert failed(post(body), 400, "schema")["path"] == "$.top"


@pytest.mark.parametrize("top", [1, 99, 100])
def test_as_many_neighbours_come_as_are_asked_for(post, card, top):
    body = {"action": "neighbors", "words": "北京", "top": top}
    neighbours = post(body).get_json()["result"]["neighbors"]
    assert len(neighbours) == top
    assert "北京" not in [found["word"] for found in neighbours]
    scores = [found["score"] for found in neighbours]
    assert scores == sorted(scores, reverse=True)


def test_a_restriction_holds(post):
    body = {"action": "neighbors", "words": "北京", "among": ["上海", "天津", "北京", "龘龘", "经济", "上海"]}
    found = [neighbour["word"] for neighbour in post(body).get_json()["result"]["neighbors"]]
    assert sorted(found) == sorted(["上海", "天津", "经济"])


def test_lists_and_words_at_their_limits_and_beyond(post, card, failed):
    limits = card["limits"]
    longest = "好" * limits["item_characters"]
    assert post({"action": "vectors", "words": [longest] * limits["items"]}).status_code == 200
    too_long = failed(post({"action": "vectors", "words": longest + "好"}), 400, "schema")
    assert str(limits["item_characters"]) in too_long["message"]
    too_many = failed(post({"action": "vectors", "words": ["好"] * (limits["items"] + 1)}), 400, "schema")
    assert str(limits["items"]) in too_many["message"]
    failed(post({"action": "similarity", "pairs": [["好", longest + "好"]]}), 400, "schema")
    failed(post({"action": "odd_one_out", "groups": [["好"] * (limits["items"] + 1)]}), 400, "schema")


def test_a_word_never_seen_has_a_vector_where_words_have_parts(post, resource):
    for word in ("江河湖海洋", "北京北京"):
        looked_up = post({"action": "vectors", "words": word}).get_json()["result"]
        near = post({"action": "neighbors", "words": word, "top": 3}).get_json()["result"]
        alike = post({"action": "similarity", "pairs": [word, "北京"]}).get_json()["result"]
        assert not looked_up["known"]
        assert not near["known"]
        assert alike["known"] == [False, True]
        has_vector = resource.__name__ in ("FastText", "CW2Vec")
        assert (looked_up["vector"] is not None) is has_vector
        assert len(near["neighbors"]) == (3 if has_vector else 0)
        assert (alike["score"] is not None) is has_vector


def test_every_trained_variant_answers(client):
    for resource in FAMILY:
        card = client.get(resource.href()).get_json()
        for variant in card["variants"]:
            language, _, form = variant.partition("-")
            word = {"zh": "北京", "en": "london"}[language]
            body = {"action": "neighbors", "words": word, "language": language} | ({"variant": form} if form else {})
            answer = client.post(resource.href(), json=body).get_json()["result"]
            assert answer["known"], variant
            assert len(answer["neighbors"]) == 10


def test_a_variant_that_is_not_trained_for_the_language_is_refused(client, failed):
    body = {"action": "vectors", "words": "london", "language": "en", "variant": "cbow-hs"}
    refused = failed(client.post("/v1/Word2Vec", json=body), 400, "input")
    assert (refused["path"], refused["message"]) == ("$.variant", "must be skipgram-neg for en")


def test_the_family_keeps_to_its_budget():
    files = [path for resource in FAMILY for path in (ROOT / "data" / resource.slug()).rglob("*")]
    assert sum(path.stat().st_size for path in files) < 45 << 20
