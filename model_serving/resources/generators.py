"""What the generators' resources share: their fields, and how a request becomes pictures."""

import base64
import secrets
from dataclasses import dataclass, field
from typing import Any

import torch
from flask import Response
from torch import Tensor

from model_serving.models.generators import pictures
from model_serving.models.generators.generator import DATASETS, Drawing
from model_serving.models.generators.latent import Between, Draw
from model_serving.resources.base import ModelResource, Work
from model_serving.resources.schemas import Schema, flag, integer, number, object_of, one_of
from model_serving.serving.errors import ServiceError
from model_serving.utils.settings import Limits

SEEDS = 2**53
"""How many seeds there are; each is read exactly by programs that hold every number as a double."""

MOST_PICTURES = 256
STEPS = 8
_ORIGIN = ("seed", "from_seed", "to_seed", "steps")


def request_schema(**more: Schema) -> Schema:
    """How many pictures of which set, drawn from what; ``more`` are a model's own fields."""
    return object_of(
        "count",
        count=_count,
        dataset=one_of(*DATASETS, description="What to draw: digits, or articles of clothing"),
        **more,
        seed=integer("Draws the same pictures each time; one is chosen, and told, if left out", 0, SEEDS - 1),
        from_seed=integer("Go from the pictures of this seed, one row each ...", 0, SEEDS - 1),
        to_seed=integer("... to those of this", 0, SEEDS - 1),
        steps=integer(f"Pictures in such a row, both ends among them; {STEPS} if left out", 2, MOST_PICTURES),
        truncation=number("What the noise is scaled by: below 1 less variety and fewer failures", 0.3, 1, default=1),
        scores=flag("Give how real the discriminator takes each picture to be"),
        format=one_of("png", "array", description="png: PNG files in base64; array: rows of grey values"),
    )


def _count(limits: Limits) -> dict[str, Any]:
    return integer("How many pictures, or rows of pictures from seed to seed", 1, limits.items)(limits)


def _many(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_GREY = _many(_many({"type": "integer", "minimum": 0, "maximum": 255}))
_SEED = {"type": "integer", "minimum": 0, "maximum": SEEDS - 1}

RESPONSE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["result"],
    "properties": {
        "result": {
            "type": "object",
            "required": ["images"],
            "properties": {
                "images": _many({"oneOf": [{"type": "string", "contentEncoding": "base64"}, _GREY]}),
                "labels": _many({"type": "string"}),
                "scores": _many({"type": "number", "minimum": 0, "maximum": 1}),
                "seed": _SEED,
                "from_seed": _SEED,
                "to_seed": _SEED,
                "steps": {"type": "integer", "minimum": 2, "maximum": MOST_PICTURES},
            },
            "additionalProperties": False,
        }
    },
    "additionalProperties": False,
}


def contact_sheet(result: dict[str, Any]) -> Response:
    """All pictures of a result on one, those from seed to seed a row each."""
    whole = pictures.sheet([_pixels(image) for image in result["images"]], result.get("steps"))
    return Response(pictures.png(whole), mimetype="image/png")


@dataclass(frozen=True)
class Order(Work):
    """The pictures a request asks for: in which ``format``, and what the answer says of where they come from."""

    format: str = "png"
    origin: dict[str, int] = field(default_factory=dict)


class GeneratorResource(ModelResource):
    """Draws pictures: as base64, as arrays, or on one contact sheet for ``Accept: image/png``."""

    family = "generators"
    response_schema = RESPONSE_SCHEMA
    representations = {"image/png": contact_sheet}

    @classmethod
    def split(cls, field: str, body: dict[str, Any]) -> Order:
        """The points to draw: as many of a seed, or as many rows from one seed to another."""
        given: dict[str, Any] = {name: int(value) if _is_whole(value) else value for name, value in body.items()}
        options = {name: value for name, value in given.items() if name not in (field, "format", *_ORIGIN)}
        _check_origin(given, field)
        points: list[Draw] | list[Between]
        if "from_seed" in given:
            origin = {name: given.get(name, STEPS) for name in ("from_seed", "to_seed", "steps")}
            points = _rows(given[field], **origin)
        else:
            origin = {"seed": given.get("seed", secrets.randbelow(SEEDS))}
            points = [Draw(origin["seed"], number) for number in range(given[field])]
        return Order(points, options, field, single=True, format=given["format"], origin=origin)

    @classmethod
    def join(cls, work: Work, results: list[Drawing]) -> dict[str, Any]:
        """The pictures with their labels and scores, where there are such, and where they come from."""
        assert isinstance(work, Order)
        told: dict[str, list[Any]] = {
            "labels": [drawing.label for drawing in results],
            "scores": [drawing.score for drawing in results],
        }
        images = [_image(drawing.pixels, work.format) for drawing in results]
        return {"images": images} | {name: values for name, values in told.items() if None not in values} | work.origin


def _rows(count: int, from_seed: int, to_seed: int, steps: int) -> list[Between]:
    return [
        Between(Draw(from_seed, row), Draw(to_seed, row), step / (steps - 1))
        for row in range(count)
        for step in range(steps)
    ]


def _is_whole(value: Any) -> bool:
    """Whether it is written like 2.0, which JSON Schema takes for an integer."""
    return isinstance(value, float) and value.is_integer()


def _check_origin(given: dict[str, Any], field: str) -> None:
    """Refuse fields about seeds that do not go together."""
    for name, other in (("from_seed", "to_seed"), ("to_seed", "from_seed"), ("steps", "from_seed")):
        if name in given and other not in given:
            raise ServiceError(400, "input", f"goes with {other}, which is missing", f"$.{name}")
    if "seed" in given and "from_seed" in given:
        raise ServiceError(400, "input", "can not go with from_seed", "$.seed")
    total = given[field] * given.get("steps", STEPS)
    if "from_seed" in given and total > MOST_PICTURES:
        message = f"must be at most {MOST_PICTURES} pictures in all rows, not {total}"
        raise ServiceError(400, "input", message, f"$.{field}")


def _image(pixels: Tensor, form: str) -> str | list[list[int]]:
    if form == "array":
        rows: list[list[int]] = pixels.tolist()
        return rows
    return base64.b64encode(pictures.png(pixels)).decode("ascii")


def _pixels(image: str | list[list[int]]) -> Tensor:
    """What :func:`_image` was given."""
    if isinstance(image, str):
        return pictures.from_png(base64.b64decode(image))
    return torch.tensor(image, dtype=torch.uint8)
