"""GAN: a generator of pictures learns by deceiving a discriminator, both of dense layers.

Goodfellow et al., 2014, "Generative adversarial nets", arXiv:1406.2661; the layers are those of its best known
exercise on MNIST. Departures from the paper: LeakyReLU for rectifiers, maxout and dropout, and batch normalisation in
the generator, both after Radford, Metz and Chintala, 2016.
"""

from pathlib import Path
from typing import Any

from torch import Tensor, nn

from model_serving.models.generators import generator
from model_serving.models.generators.generator import Generator, Networks

SIDE = 28
SLOPE = 0.2
KEPT = 0.8
"""What a running average of batch normalisation keeps of itself at each step."""


class GANGenerator(nn.Module):
    """Noise to pictures.

    Args:
        latent: size of the noise.
        hidden: sizes of the hidden layers.
    """

    def __init__(self, latent: int, hidden: list[int]):
        super().__init__()
        layers: list[nn.Module] = []
        for before, size in zip([latent, *hidden], hidden, strict=False):
            layers += [nn.Linear(before, size), nn.LeakyReLU(SLOPE), nn.BatchNorm1d(size, momentum=1 - KEPT)]
        layers += [nn.Linear(hidden[-1], SIDE * SIDE), nn.Tanh(), nn.Unflatten(1, (1, SIDE, SIDE))]
        self.layers = nn.Sequential(*layers)

    def forward(self, latent: Tensor) -> Tensor:
        """``latent``: (batch, latent) -> pictures (batch, 1, 28, 28) in -1..1."""
        pictures: Tensor = self.layers(latent)
        return pictures


class GANDiscriminator(nn.Module):
    """Pictures to how real they look.

    Args:
        hidden: sizes of the hidden layers.
    """

    def __init__(self, hidden: list[int]):
        super().__init__()
        layers: list[nn.Module] = [nn.Flatten()]
        for before, size in zip([SIDE * SIDE, *hidden], hidden, strict=False):
            layers += [nn.Linear(before, size), nn.LeakyReLU(SLOPE)]
        self.layers = nn.Sequential(*layers, nn.Linear(hidden[-1], 1))

    def forward(self, pictures: Tensor) -> Tensor:
        """``pictures``: (batch, 1, 28, 28) in -1..1 -> log odds of being real (batch, 1)."""
        odds: Tensor = self.layers(pictures)
        return odds


def build(architecture: dict[str, Any]) -> Networks:
    """Untrained networks: ``noise``, and the hidden sizes of ``generator`` and ``discriminator``."""
    return Networks(
        GANGenerator(architecture["noise"], architecture["generator"]),
        GANDiscriminator(architecture["discriminator"]),
    )


def load(folder: Path) -> Generator:
    """The served generator over the trained variants in ``folder``."""
    return generator.load(folder, build)
