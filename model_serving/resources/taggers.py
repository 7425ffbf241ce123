"""What the taggers' resources share: their fields and the form of their answers."""

from collections.abc import Sequence
from typing import Any

from model_serving.resources.schemas import Schema, any_of, flag, object_of, one_of, texts

FAMILY = "taggers"


def request_schema(*tasks: str, languages: Sequence[str] = (), decodings: Sequence[str] = ()) -> Schema:
    """Text to be tagged for one of ``tasks``, the first being the default.

    Args:
        tasks: what is offered.
        languages: those that may be asked for, where there are several; else all text is Chinese.
        decodings: those that may be asked for, the first being the default, where there are several.
    """
    choices: dict[str, Schema] = {}
    if languages:
        choices["language"] = any_of(*languages, description="Of the text; without it each text's script tells")
    if decodings:
        choices["decoding"] = one_of(
            *decodings, description="viterbi: the likeliest tags as a whole; posterior: the likeliest tag at each place"
        )
    return object_of(
        "text",
        text=texts("Chinese or English text, or a list of texts" if languages else "Chinese text, or a list of texts"),
        task=one_of(*tasks, description="seg: words; pos: words and parts of speech; ner: names"),
        confidence=flag("Give each token or entity its probability"),
        **choices,
    )


def _item(label: str) -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["text", "start", "end"],
        "properties": {
            "text": {"type": "string"},
            "start": {"description": "in code points of the text as sent", "type": "integer", "minimum": 0},
            "end": {"description": "excluded", "type": "integer", "minimum": 1},
            label: {"type": "string"},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        },
        "additionalProperties": False,
    }


def _answer(kind: str, label: str) -> dict[str, Any]:
    properties = {kind: {"type": "array", "items": _item(label)}, "language": {"enum": ["zh", "en"]}}
    return {"type": "object", "required": [kind], "properties": properties, "additionalProperties": False}


_TAGGING = {"oneOf": [_answer("tokens", "tag"), _answer("entities", "label")]}

RESPONSE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["result"],
    "properties": {"result": {"oneOf": [*_TAGGING["oneOf"], {"type": "array", "items": _TAGGING}]}},
    "additionalProperties": False,
}
