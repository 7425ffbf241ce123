"""What the taggers' resources share: their fields and the form of their answers."""

from typing import Any

from model_serving.resources.schemas import Schema, flag, object_of, one_of, texts

FAMILY = "taggers"


def request_schema(*tasks: str) -> Schema:
    """Text to be tagged for one of ``tasks``, the first being the default."""
    return object_of(
        "text",
        text=texts("Chinese text, or a list of texts"),
        task=one_of(*tasks, description="seg: words; pos: words and parts of speech; ner: names"),
        confidence=flag("Give each token or entity its probability"),
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
    items = {"type": "array", "items": _item(label)}
    return {"type": "object", "required": [kind], "properties": {kind: items}, "additionalProperties": False}


_TAGGING = {"oneOf": [_answer("tokens", "tag"), _answer("entities", "label")]}

RESPONSE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["result"],
    "properties": {"result": {"oneOf": [*_TAGGING["oneOf"], {"type": "array", "items": _TAGGING}]}},
    "additionalProperties": False,
}
