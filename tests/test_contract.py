"""One contract, held by every model that is registered."""

import json

import jsonschema
import pytest

from model_serving.resources import RESOURCES

JSON = "application/json"
LESS_IS_BETTER = ("Frechet distance", "perplexity")
WHOLE = "all kinds"
"""The test part of the translators; their cards take it apart, and a kind with little text may be beyond a model."""
NOT_OF_THE_EXAMPLE = {"CRF": [("task", "pos")]}
"""What the schema offers and the example's language has not: the CRF knows parts of speech in English alone."""
LEADING = ("F1", "BLEU", "Spearman", "AUC", *LESS_IS_BETTER)


@pytest.fixture
def client(real_app):
    return real_app.test_client()


@pytest.fixture(params=RESOURCES, ids=lambda resource: resource.__name__)
def resource(request):
    return request.param


@pytest.fixture
def reads_text(resource):
    """Leave out the models that do not take text."""
    if "text" not in resource.example:
        pytest.skip("takes no text")


@pytest.fixture
def card(client, resource):
    return client.get(resource.href()).get_json()


@pytest.fixture
def field(card):
    (required,) = card["request_schema"]["required"]
    return required


@pytest.fixture
def variations(resource, card, field):
    """The example with every value of every enumeration and switch but the required one, which changes the rest."""
    properties = {name: part for name, part in card["request_schema"]["properties"].items() if name != field}
    choices = [(name, value) for name, part in properties.items() for value in part.get("enum", [])]
    choices += [(name, True) for name, part in properties.items() if part["type"] == "boolean"]
    wanted = [choice for choice in choices if choice not in NOT_OF_THE_EXAMPLE.get(resource.__name__, ())]
    return [card["example"]["request"] | {name: value} for name, value in wanted]


def test_the_card_is_whole(client, resource, card):
    assert set(card) == {
        "name", "family", "summary", "paper", "variants", "data", "metrics", "version", "limits",
        "request_schema", "response_schema", "example",
    }  # fmt: skip
    assert card["name"] == resource.__name__
    assert card["summary"]
    assert card["paper"]
    assert card["variants"]
    assert all({"name", "licence", "sha256"} <= set(source) for source in card["data"])
    assert {"name": card["name"], "family": card["family"], "summary": card["summary"], "href": resource.href()} in (
        client.get("/v1").get_json()["models"]
    )


def test_every_metric_stands_above_its_baseline(card):
    assert card["metrics"]
    for metric in card["metrics"]:
        assert set(metric) == {"task", "dataset", "split", "metric", "value", "baseline"}
        assert metric["split"] == "test"
        if not any(word in metric["metric"] for word in LESS_IS_BETTER):
            assert 0 <= metric["baseline"]["value"] <= 100
            assert 0 < metric["value"] <= 100
    whole = [metric for metric in card["metrics"] if metric["dataset"] == WHOLE] or card["metrics"]
    leading = [metric for metric in whole if any(word in metric["metric"] for word in LEADING)]
    assert leading
    for metric in leading:
        value, baseline = metric["value"], metric["baseline"]["value"]
        assert value < baseline if metric["metric"] in LESS_IS_BETTER else value > baseline


def test_the_schemas_are_closed_bounded_and_valid(card):
    schema = card["request_schema"]
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator.check_schema(card["response_schema"])
    assert schema["additionalProperties"] is False
    assert len(schema["required"]) == 1
    assert schema["required"][0] in ("text", "action", "count")
    bounds = {"string": {"maxLength", "enum"}, "array": {"maxItems"}, "integer": {"maximum"}, "number": {"maximum"}}
    for part in schema["properties"].values():
        for kind in [part["type"]] if isinstance(part["type"], str) else part["type"]:
            assert kind == "boolean" or bounds[kind] & set(part)
        assert list(part).index("maxItems") < list(part).index("items") if "items" in part else True


def test_the_example_answers_as_the_card_says(client, resource, card):
    response = client.post(resource.href(), json=card["example"]["request"])
    assert response.status_code == 200
    assert response.headers["X-Model-Version"] == card["version"]
    assert response.get_json() == card["example"]["response"]


def test_every_choice_answers_within_the_response_schema(client, resource, card, variations):
    assert variations
    for body in variations:
        response = client.post(resource.href(), json=body)
        assert response.status_code == 200, body
        jsonschema.validate(response.get_json(), card["response_schema"])


@pytest.mark.usefixtures("reads_text")
def test_a_list_is_answered_as_its_items_alone(client, resource, card, field, variations):
    texts = ["", "好", card["example"]["request"][field], "我爱北京天安门。" * 9, " ", "Hello, 世界 42!"]
    properties = card["request_schema"]["properties"]
    for body in variations:
        for name in set(body) - {field}:
            if properties[name]["type"] == properties[field]["type"]:
                del body[name]  # one to each text: a matter of the model's own tests
        together = client.post(resource.href(), json=body | {field: texts}).get_json()["result"]
        alone = [client.post(resource.href(), json=body | {field: text}).get_json()["result"] for text in texts]
        assert len(together) == len(texts)
        for batched, single in zip(together, alone, strict=True):
            assert_same(batched, single)
    assert client.post(resource.href(), json={field: []}).get_json() == {"result": []}


def assert_same(left, right):
    """Equal, numbers to four decimals."""
    if isinstance(left, dict):
        assert left.keys() == right.keys()
        for key in left:
            assert_same(left[key], right[key])
    elif isinstance(left, list):
        assert len(left) == len(right)
        for one, other in zip(left, right, strict=True):
            assert_same(one, other)
    elif isinstance(left, float):
        assert left == pytest.approx(right, abs=1.01e-4)
    else:
        assert left == right


def test_the_three_classic_mistakes(client, resource, card, field):
    assert client.post(resource.href()).get_json()["message"] == "No JSON object"
    missing = client.post(resource.href(), json={})
    assert (missing.status_code, missing.get_json()["message"]) == (400, f"'{field}' is a required property")
    unknown = client.post(resource.href(), json=card["example"]["request"] | {"nonsense": 1})
    assert (unknown.status_code, unknown.get_json()["path"]) == (400, "$.nonsense")


@pytest.mark.parametrize("value", [None, 7.5, True, {}, [None], [["a"]], ["a", 7]])
def test_a_field_of_another_type_is_told_its_place(client, resource, field, value):
    response = client.post(resource.href(), json={field: value})
    assert response.status_code == 400
    assert response.get_json()["path"].startswith(f"$.{field}")


@pytest.mark.usefixtures("reads_text")
def test_limits_hold_at_the_limit_and_not_beyond(client, resource, card, field):
    limits = card["limits"]
    longest = "好" * limits["item_characters"]
    assert client.post(resource.href(), json={field: longest}).status_code == 200
    for body in (longest + "好", ["a"] * (limits["items"] + 1), [longest] * 6):
        response = client.post(resource.href(), json={field: body})
        assert response.status_code == 400
        assert str(limits["item_characters"]) in response.text or str(limits["items"]) in response.text or (
            str(limits["request_characters"]) in response.text
        )  # fmt: skip


def test_a_whole_number_with_a_point_is_an_integer(client, resource, card):
    """As JSON Schema has it."""
    example, properties = card["example"]["request"], card["request_schema"]["properties"]
    integers = {
        name: part.get("default", part["minimum"]) for name, part in properties.items() if part["type"] == "integer"
    }
    for name, value in integers.items():
        pointed, plain = (
            client.post(resource.href(), json=example | {name: kind(example.get(name, value))}) for kind in (float, int)
        )
        assert pointed.status_code == plain.status_code < 500, name
        assert pointed.get_json().get("result") == plain.get_json().get("result")


def test_answers_are_strict_utf8_json(client, resource, card):
    response = client.post(resource.href(), json=card["example"]["request"])
    text = response.data.decode("utf-8")
    assert "\\u" not in text
    assert json.loads(text) == response.get_json()
