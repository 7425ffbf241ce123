"""Request bodies against their JSON Schema: built once, stopped at the first error, told without the input.

Two libraries read the same schema: ``jsonschema_rs`` passes a good body in microseconds, ``jsonschema`` knows what is
wrong with a bad one.
"""

import re
from collections.abc import Mapping
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from model_serving.serving.errors import ServiceError

_PLAIN_NAME = re.compile(r"\w{1,40}", re.ASCII)
_ARTICLES = {"array": "an array", "integer": "an integer", "object": "an object"}


class Validator:
    """A schema ready to check bodies.

    Args:
        schema: a closed object schema of JSON Schema 2020-12, itself checked here, without references.
    """

    def __init__(self, schema: dict[str, Any]):
        Draft202012Validator.check_schema(schema)
        self._fields = list(schema["properties"])
        self._fits = jsonschema_rs.Draft202012Validator(schema).is_valid
        self._validator = Draft202012Validator(schema)

    def check(self, body: dict[str, Any]) -> None:
        """Pass a body that fits.

        Raises:
            ServiceError: 400 ``schema`` with the first field that does not.
        """
        if self._fits(body):
            return
        for error in self._validator.iter_errors(body):
            raise ServiceError(400, "schema", *self._explain(error))

    def _explain(self, error: ValidationError) -> tuple[str, str]:
        """Message and path."""
        path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
        if error.validator in ("additionalProperties", "maxProperties"):
            assert isinstance(error.instance, dict)
            unknown = next(name for name in error.instance if name not in self._fields)
            shown = f".{unknown}" if _PLAIN_NAME.fullmatch(unknown) else ""
            return f"unknown field; known are {', '.join(self._fields)}", f"${path}{shown}"
        if error.validator == "required":
            return error.message, f"${path}"
        return _MESSAGES[str(error.validator)](error.validator_value, error.instance), f"${path}"


def _type(wanted: str | list[str], _: Any) -> str:
    kinds = [wanted] if isinstance(wanted, str) else wanted
    return "must be " + " or ".join(_ARTICLES.get(kind, f"a {kind}") for kind in kinds)


_MESSAGES: Mapping[str, Any] = {
    "type": _type,
    "enum": lambda values, _: "must be one of " + ", ".join(map(repr, values)),
    "minLength": lambda least, given: f"must have at least {least} characters, not {len(given)}",
    "maxLength": lambda most, given: f"must have at most {most} characters, not {len(given)}",
    "minItems": lambda least, given: f"must have at least {least} items, not {len(given)}",
    "maxItems": lambda most, given: f"must have at most {most} items, not {len(given)}",
    "minimum": lambda least, _: f"must be at least {least}",
    "maximum": lambda most, _: f"must be at most {most}",
}
