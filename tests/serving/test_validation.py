"""Schema errors: the right field, in our words, at the first mistake."""

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from model_serving.resources.schemas import flag, object_of, one_of, texts
from model_serving.serving.errors import ServiceError
from model_serving.serving.validation import Validator
from model_serving.utils.settings import Limits

SCHEMA = object_of("text", text=texts("t"), mood=one_of("calm", "wild", description="m"), loud=flag("l"))
VALIDATOR = Validator(SCHEMA(Limits(items=3, item_characters=5)))


@pytest.mark.parametrize("body", [{"text": ""}, {"text": []}, {"text": ["a", "b", "c"], "mood": "wild", "loud": True}])
def test_a_body_that_fits_passes(body):
    VALIDATOR.check(body)


@pytest.mark.parametrize(
    ("body", "path", "message"),
    [
        ({}, "$", "'text' is a required property"),
        ({"text": 7}, "$.text", "must be a string or an array"),
        ({"text": None}, "$.text", "must be a string or an array"),
        ({"text": ["a", 7]}, "$.text[1]", "must be a string"),
        ({"text": ["a", ["b"]]}, "$.text[1]", "must be a string"),
        ({"text": "abcdef"}, "$.text", "must have at most 5 characters, not 6"),
        ({"text": ["a", "b", "abcdef"]}, "$.text[2]", "must have at most 5 characters, not 6"),
        ({"text": ["a"] * 4}, "$.text", "must have at most 3 items, not 4"),
        ({"text": "a", "mood": "grim"}, "$.mood", "must be one of 'calm', 'wild'"),
        ({"text": "a", "loud": 1}, "$.loud", "must be a boolean"),
        ({"text": "a", "volume": 3}, "$.volume", "unknown field; known are text, mood, loud"),
        ({"text": "a", "__proto__": 1}, "$.__proto__", "unknown field; known are text, mood, loud"),
        ({"text": "a", "<b>": 3}, "$", "unknown field; known are text, mood, loud"),
        ({"text": "a", "x" * 99: 3}, "$", "unknown field; known are text, mood, loud"),
        ({"text": "a", "mood": "calm", "loud": True, "more": 1}, "$.more", "unknown field; known are text, mood, loud"),
    ],
)
def test_the_first_mistake_is_told_with_its_place(body, path, message):
    with pytest.raises(ServiceError) as caught:
        VALIDATOR.check(body)
    assert (caught.value.status, caught.value.code) == (400, "schema")
    assert (caught.value.path, caught.value.message) == (path, message)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
NUMBERS = {"type": "integer", "minimum": -5, "maximum": 2**53}
JUDGED = {
    "type": "object",
    "required": ["text"],
    "properties": SCHEMA(Limits(items=3, item_characters=5))["properties"]
    | {"count": NUMBERS, "share": {"type": "number", "minimum": 0.3, "maximum": 1}},
    "additionalProperties": False,
}
JUDGE, REFERENCE = Validator(JUDGED), jsonschema.Draft202012Validator(JUDGED)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys([*JUDGED["properties"], "more"], VALUES)))
@example({"text": "a", "count": 1.0})
@example({"text": "a", "count": True})
@example({"text": "a", "count": 2**53 + 1})
@example({"text": "a", "count": 10**30})
@example({"text": "a", "share": 0.3})
@example({"text": "\U00020000\U00020000\U00020000\U00020000\U00020000"})
def test_what_passes_is_what_the_reference_passes(body):
    """The library that judges fast and the one that explains must agree."""
    try:
        JUDGE.check(body)
        passed = True
    except ServiceError:
        passed = False
    assert passed == REFERENCE.is_valid(body)


class Unread(list[int]):
    """A list whose items nobody may look at."""

    def __iter__(self):
        raise AssertionError("its items were looked at")


@pytest.mark.parametrize("body", [{"text": Unread([1] * 9)}, {"text": "a", "loud": Unread([1] * 9)}])
def test_a_list_that_is_too_long_or_out_of_place_is_refused_unread(body):
    with pytest.raises(ServiceError):
        VALIDATOR.check(body)


def test_of_many_unknown_fields_the_first_is_told():
    with pytest.raises(ServiceError) as caught:
        VALIDATOR.check({"text": "a"} | {f"k{number}": 1 for number in range(100_000)})
    assert caught.value.path == "$.k0"


def test_a_schema_that_is_none_stops_the_start():
    with pytest.raises(Exception, match="nonsense"):
        Validator({"type": "nonsense", "properties": {}})
