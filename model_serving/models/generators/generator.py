"""The served model of the family: points of noise in, pictures out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from model_serving.models import artifact
from model_serving.models.generators.latent import Between, Draw, interpolate, join, noise_and_class
from model_serving.models.generators.pictures import to_pixels
from model_serving.models.layers.eight_bit import unpack

DATASETS = ("mnist", "fashion-mnist")
"""What a generator draws, each a variant with networks of its own."""

COST = 128
"""Of one picture, in the batcher's units: so that 32 are drawn together, and others come between."""

CHUNK = 8
"""Pictures that the networks are always given at once; their rounding may depend on how many those are."""


class Networks(nn.Module):
    """A generator and the discriminator it played against.

    Args:
        generator: latent (batch, noise), joined by class weights where there are classes, to pictures (batch, 1,
            height, width) in -1..1.
        discriminator: those pictures to log odds of being real, as one of each class (batch, classes).
    """

    def __init__(self, generator: nn.Module, discriminator: nn.Module):
        super().__init__()
        self.generator = generator
        self.discriminator = discriminator


@dataclass(frozen=True)
class Artist:
    """Trained networks, the size of their noise, and the names of their classes; none where they know no classes."""

    networks: Networks
    noise: int
    classes: Sequence[str]


@dataclass(frozen=True)
class Drawing:
    """One picture.

    ``pixels`` (height, width) uint8; ``label`` is the name of the class it was drawn as, ``score`` how real the
    discriminator takes it to be, 0..1.
    """

    pixels: Tensor
    label: str | None
    score: float | None


class Generator:
    """Draws pictures.

    Args:
        artists: who draws for each data set.
    """

    def __init__(self, artists: Mapping[str, Artist]):
        self._artists = artists

    def cost(self, point: Draw | Between) -> int:
        """The work a picture makes."""
        return COST

    def predict(
        self,
        points: Sequence[Draw | Between],
        *,
        dataset: str,
        label: int | None = None,
        truncation: float = 1.0,
        scores: bool = False,
    ) -> list[Drawing]:
        """Draw the picture of each point.

        Args:
            points: where the pictures are.
            dataset: whose pictures they shall resemble.
            label: number of the class to draw; else the draws have theirs, and between two they blend.
            truncation: what the noise is scaled by: less variety below 1, and fewer failures.
            scores: whether the discriminator's are wanted.

        Raises:
            ArithmeticError: a network gives values that are not numbers.
        """
        artist = self._artists[dataset]
        found = [_locate(point, artist, label) for point in points]
        noise = torch.stack([noise for noise, _ in found]) * truncation
        weights = torch.stack([weights for _, weights in found])
        drawings = []
        for first in range(0, len(points), CHUNK):
            chunk = slice(first, first + CHUNK)
            drawings += _draw(artist, noise[chunk], weights[chunk], scores)
        return drawings


def load(folder: Path, build: Callable[[dict[str, Any]], Networks]) -> Generator:
    """A generator over the variants in ``folder``; ``build`` makes their networks from the card's architecture."""
    return Generator({dataset: load_artist(folder / dataset, build) for dataset in DATASETS})


def load_artist(folder: Path, build: Callable[[dict[str, Any]], Networks]) -> Artist:
    """The networks of one trained variant, ready to run."""
    trained = artifact.load(folder)
    architecture = trained.card["architecture"]
    networks = build(architecture)
    replace(trained, weights=unpack(trained.weights)).fill(networks)
    return Artist(networks, architecture["noise"], trained.vocabulary["classes"])


def _locate(point: Draw | Between, artist: Artist, label: int | None) -> tuple[Tensor, Tensor]:
    """Noise (noise,) and class weights (classes,) of a point; one weight of 1 where there are no classes."""
    if isinstance(point, Between):
        start, start_weights = _locate(point.start, artist, label)
        end, end_weights = _locate(point.end, artist, label)
        return interpolate(start, end, point.share), torch.lerp(start_weights, end_weights, point.share)
    classes = max(1, len(artist.classes))
    noise, own = noise_and_class(point, artist.noise, classes)
    weights = torch.zeros(classes)
    weights[own if label is None else label] = 1
    return noise, weights


def _draw(artist: Artist, noise: Tensor, weights: Tensor, scores: bool) -> list[Drawing]:
    """Draw at most ``CHUNK`` pictures from noise (batch, noise) and class weights (batch, classes)."""
    count = len(noise)
    noise, weights = (nn.functional.pad(tensor, (0, 0, 0, CHUNK - count)) for tensor in (noise, weights))
    pictures = artist.networks.generator(join(noise, weights))
    pixels = to_pixels(pictures[:count]).squeeze(1)
    labels = [_label(artist, row) for row in weights[:count]]
    if not scores:
        return [Drawing(picture, label, None) for picture, label in zip(pixels, labels, strict=True)]
    odds = (artist.networks.discriminator(pictures) * weights).sum(1)[:count]
    shown = [round(score, 4) for score in odds.sigmoid().tolist()]
    return [Drawing(*drawn) for drawn in zip(pixels, labels, shown, strict=True)]


def _label(artist: Artist, weights: Tensor) -> str | None:
    """The class a picture is of, the heavier one of two."""
    return artist.classes[int(weights.argmax())] if artist.classes else None
