"""What the word vectors' resources share: the questions, where the words for each stand, and the form of answers."""

from collections.abc import Mapping, Sequence
from typing import Any

from model_serving.resources.base import Work
from model_serving.resources.schemas import Schema, integer, object_of, one_of, texts
from model_serving.serving.errors import ServiceError
from model_serving.utils.settings import Limits

FAMILY = "word vectors"
FIELDS = {
    "neighbors": "words",
    "vectors": "words",
    "similarity": "pairs",
    "analogy": "analogies",
    "odd_one_out": "groups",
}
"""Where the items of an action stand."""
MOST_NEIGHBORS = 100


def split(
    field: str, body: dict[str, Any], trained: Mapping[str, Sequence[str]], fields: Mapping[str, str] = FIELDS
) -> Work:
    """Take a body of the family apart: the items stand in the field of the action, the rest are options.

    Args:
        field: the required one, ``action``.
        body: see :meth:`model_serving.resources.base.ModelResource.split`.
        trained: the variants of each language; none where a language has but one artifact, named after it.
        fields: where the items of each action stand.

    Raises:
        ServiceError: 400 ``input`` where the field of the action is missing or that of another is there.
    """
    wanted = fields[body[field]]
    if wanted not in body:
        raise ServiceError(400, "input", "is needed for this action", f"$.{wanted}")
    for name in fields.values():
        if name != wanted and name in body:
            raise ServiceError(400, "input", f"is not read by this action, which reads {wanted}", f"$.{name}")
    options = {str(name): body[name] for name in ("top", "among", "method") if name in body}
    return _work(wanted, body[wanted], {"action": body[field], "variant": _artifact(trained, body)} | options)


def _artifact(trained: Mapping[str, Sequence[str]], body: Mapping[str, Any]) -> str:
    """The folder of the artifact that is asked."""
    language = str(body["language"])
    if not trained[language]:
        return language
    if body["variant"] not in trained[language]:
        raise ServiceError(400, "input", f"must be {' or '.join(trained[language])} for {language}", "$.variant")
    return f"{language}-{body['variant']}"


def _work(field: str, given: Any, options: dict[str, Any]) -> Work:
    """One item or a list of them; an item is a word in ``words``, elsewhere a list of words."""
    if field == "words":
        items, single = ([given], True) if isinstance(given, str) else (given, False)
        return Work(items, options, field, single)
    single = bool(given) and isinstance(given[0], str)
    for place, item in enumerate(given):
        if isinstance(item, str) != single:
            kind = "word" if single else "list of words"
            raise ServiceError(400, "input", f"must be a {kind} like those before it", f"$.{field}[{place}]")
    return Work([given] if single else given, options, field, single)


def word_lists(description: str) -> Schema:
    """A list of words, or a list of such lists."""
    return lambda limits: {
        "description": description,
        "type": "array",
        "maxItems": limits.items,
        "items": {
            "type": ["string", "array"],
            "maxLength": limits.item_characters,
            "maxItems": limits.items,
            "items": _word(limits),
        },
    }


def request_schema(fields: Mapping[str, str] = FIELDS, **further: Schema) -> Schema:
    """The fields of a model: a language, what else the model has, and the items of each action."""
    return object_of(
        "action",
        action=_action(*fields, description="What is asked; each action reads one of the fields of items"),
        words=texts("For vectors and neighbors: a word, or a list of words"),
        pairs=word_lists("For similarity: two words, or a list of such pairs"),
        analogies=word_lists("For analogy: three words, or a list of such; 1st to 2nd as 3rd to what is asked"),
        groups=word_lists("For odd_one_out: three words or more, or a list of such groups"),
        top=integer("How many words answer neighbors and analogy", 1, MOST_NEIGHBORS, default=10),
        among=_among,
        method=one_of("3cosadd", "3cosmul", description="How an analogy is scored (Levy and Goldberg, 2014)"),
        **further,
    )


def _action(*values: str, description: str) -> Schema:
    """One of some words, which has no default."""
    return lambda _: {"description": description, "type": "string", "enum": list(values)}


def _among(limits: Limits) -> dict[str, Any]:
    """Which words may answer."""
    return {
        "description": "The words that alone may answer neighbors and analogy; unknown ones do not",
        "type": "array",
        "maxItems": limits.items,
        "items": _word(limits),
    }


def _word(limits: Limits) -> dict[str, Any]:
    return {"type": "string", "maxLength": limits.item_characters}


_WORD = {"type": "string"}
_WORDS = {"type": "array", "items": _WORD}
_KNOWN = {"description": "whether the vocabulary holds the word", "type": "boolean"}
_EACH_KNOWN = {"description": "whether the vocabulary holds each word", "type": "array", "items": {"type": "boolean"}}
_COSINE = {"type": "number", "minimum": -1, "maximum": 1}


def _object(**properties: Any) -> dict[str, Any]:
    """An object with exactly these properties."""
    return {"type": "object", "required": list(properties), "properties": properties, "additionalProperties": False}


def _ranked(**score: Any) -> dict[str, Any]:
    return {"type": "array", "items": _object(word=_WORD, **score)}


def response_schema(*further: dict[str, Any]) -> dict[str, Any]:
    """The answers of all actions and of ``further`` ones, each alone or in a list."""
    kinds = [
        _object(word=_WORD, known=_KNOWN, vector={"type": ["array", "null"], "items": {"type": "number"}}),
        _object(word=_WORD, known=_KNOWN, neighbors=_ranked(score=_COSINE)),
        _object(words=_WORDS, known=_EACH_KNOWN, score={**_COSINE, "type": ["number", "null"]}),
        _object(words=_WORDS, known=_EACH_KNOWN, answers=_ranked(score={"type": "number"})),
        _object(words=_WORDS, known=_EACH_KNOWN, odd={"type": ["string", "null"]}),
        *further,
    ]
    answer = {"anyOf": kinds}
    return _object(result={"anyOf": [*kinds, {"type": "array", "items": answer}]})


RESPONSE_SCHEMA = response_schema()
NEXT = _object(
    context=_WORDS, known=_EACH_KNOWN, next=_ranked(probability={"type": "number", "minimum": 0, "maximum": 1})
)
