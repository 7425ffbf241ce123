"""Words to write request schemas with. Each makes a function of the limits, so that conf bounds every field."""

from collections.abc import Callable
from typing import Any

from model_serving.utils.settings import Limits

Schema = Callable[[Limits], dict[str, Any]]


def object_of(required: str, **properties: Schema) -> Schema:
    """A closed object with exactly one required field."""

    def schema(limits: Limits) -> dict[str, Any]:
        return {
            "type": "object",
            "required": [required],
            "maxProperties": len(properties),
            "properties": {name: part(limits) for name, part in properties.items()},
            "additionalProperties": False,
        }

    return schema


def texts(description: str) -> Schema:
    """One string or a list of them."""

    def schema(limits: Limits) -> dict[str, Any]:
        return {
            "description": description,
            "type": ["string", "array"],
            "maxLength": limits.item_characters,
            "maxItems": limits.items,
            "items": {"type": "string", "maxLength": limits.item_characters},
        }

    return schema


def one_of(*values: str, description: str) -> Schema:
    """One of some words; the first is the default."""
    return lambda _: {"description": description, "type": "string", "enum": list(values), "default": values[0]}


def any_of(*values: str, description: str) -> Schema:
    """One of some words, or none; left out, it is absent."""
    return lambda _: {"description": description, "type": "string", "enum": list(values)}


def flag(description: str) -> Schema:
    """A switch that is off when left out."""
    return lambda _: {"description": description, "type": "boolean", "default": False}


def integer(description: str, least: int, most: int, default: int | None = None) -> Schema:
    """A whole number within bounds; left out without a default, it is absent."""
    return _bounded("integer", description, least, most, default)


def number(description: str, least: float, most: float, default: float) -> Schema:
    """A number within bounds."""
    return _bounded("number", description, least, most, default)


def _bounded(kind: str, description: str, least: float, most: float, default: float | None) -> Schema:
    part = {"description": description, "type": kind, "minimum": least, "maximum": most}
    return lambda _: part if default is None else part | {"default": default}
