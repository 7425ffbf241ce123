"""What the translators' resources share: their fields, the form of their answers, and how a direction is told."""

from typing import Any

from model_serving.models.translators.direction import LONGEST_TRANSLATION
from model_serving.resources.base import ModelResource, Work
from model_serving.resources.schemas import Schema, any_of, flag, integer, number, object_of, texts
from model_serving.serving.errors import ServiceError

FAMILY = "translators"


Directions = tuple[tuple[str, str], ...]
"""Source and target of each variant, at most one from each language and one into each."""


def split(field: str, body: dict[str, Any], directions: Directions) -> Work:
    """Take a valid body apart, a language left out filled in from the other.

    Where both are left out and there are several directions, the model tells each text's by its script.

    Raises:
        ServiceError: 400 ``input`` for a direction there is none of, or more translations than hypotheses.
    """
    asked = (body.get("source"), body.get("target"))
    fitting = [way for way in directions if all(one in (None, its) for one, its in zip(asked, way, strict=True))]
    if not fitting:
        known = ", ".join(f"{source} to {target}" for source, target in directions)
        raise ServiceError(400, "input", f"source and target must be {known}", "$.target")
    if body["n_best"] > body["beam_size"]:
        raise ServiceError(400, "input", f"must be at most beam_size, which is {body['beam_size']}", "$.n_best")
    source, target = fitting[0] if len(fitting) == 1 else (None, None)
    return ModelResource.split(field, body | {"source": source, "target": target})


def request_schema(directions: Directions, *, attentive: bool = True, **further: Schema) -> Schema:
    """Text to be translated in one of ``directions``.

    ``attentive`` says that the model can tell where it looked; what it has besides are ``further`` fields.
    """
    if attentive:
        further["attention"] = flag(
            "Give the weights with which the words of the translation attend to those of the text"
        )
    sources, targets = (dict.fromkeys(side) for side in zip(*directions, strict=True))
    script = ", and without that each text's by its script" if len(directions) > 1 else ""
    return object_of(
        "text",
        text=texts("Text, or a list of texts; each sentence and line is translated by itself"),
        source=any_of(
            *sources, description=f"The language of the text; left out: the one that goes with target{script}"
        ),
        target=any_of(*targets, description="The language wanted; left out: the one that goes with source"),
        beam_size=integer("Hypotheses kept of each sentence; 1 is greedy search", 1, 10, default=4),
        n_best=integer("Translations wanted, at most beam_size; all but the best are alternatives", 1, 10, default=1),
        length_penalty=number("0 favours short translations, 1 ranks by the mean a sub-word", 0, 2, default=1),
        max_length=integer(
            "Of each sentence's translation in sub-words, its end included; bound by twice the source's and 10 too",
            1,
            LONGEST_TRANSLATION,
            default=LONGEST_TRANSLATION,
        ),
        **further,
    )


def _closed(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": required | optional,
        "additionalProperties": False,
    }


_WORDS = {"type": "array", "items": {"type": "string"}}
_CANDIDATE = {
    "translation": {"type": "string"},
    "score": {"description": "log probability / length^length_penalty, the mean over sentences", "type": "number"},
    "finished": {"description": "whether every sentence came to its end within max_length", "type": "boolean"},
}
_ATTENTION = _closed(
    {
        "source": _WORDS,
        "target": _WORDS,
        "weights": {
            "description": "[target][source]",
            "type": "array",
            "items": {"type": "array", "items": {"type": "number", "minimum": 0, "maximum": 1}},
        },
    }
)
_SCORED = {
    "text": {"description": "a sub-word of the reference; the end of a sentence has none", "type": "string"},
    "log_probability": {"description": "after the text and the tokens before", "type": "number", "maximum": 0},
}
REFERENCE = _closed(
    {
        "score": {"description": "of the reference, made as that of the translation is", "type": "number"},
        "tokens": {"type": "array", "items": _closed(_SCORED)},
    }
)


def response_schema(**further: Any) -> dict[str, Any]:
    """The translation of a text or of each, with what a model gives besides."""
    translation = _closed(_CANDIDATE, alternatives={"type": "array", "items": _closed(_CANDIDATE)}, **further)
    return _closed({"result": {"oneOf": [translation, {"type": "array", "items": translation}]}})


RESPONSE_SCHEMA = response_schema(attention=_ATTENTION)
"""Of the attentive models."""
