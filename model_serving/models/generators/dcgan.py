"""DCGAN: generator and discriminator of strided convolutions, told which class to draw.

Radford, Metz and Chintala, 2016, "Unsupervised representation learning with deep convolutional generative adversarial
networks", arXiv:1511.06434: no pooling, no dense hidden layer, batch normalisation in both, ReLU in the generator,
LeakyReLU in the discriminator. Classes come in after Mirza and Osindero, 2014, "Conditional generative adversarial
nets", arXiv:1411.1784: joined to the noise as further channels. In the discriminator the last convolution has one
output a class, of which the picture's own counts: the projection of Miyato and Koyama, 2018, "cGANs with projection
discriminator", arXiv:1802.05637, at every place of the last map. The pictures being 28 by 28, the convolutions are two
and the first and last ones as large as the map of 7 by 7.
"""

from pathlib import Path
from typing import Any

from torch import Tensor, nn

from model_serving.models.generators import generator
from model_serving.models.generators.generator import Generator, Networks

SLOPE = 0.2
SPREAD = 0.02
"""Standard deviation of the first weights."""


class DCGANGenerator(nn.Module):
    """Noise and classes to pictures.

    Args:
        latent: size of the noise with the class weights joined to it.
        channels: of the maps of 7 by 7 and of 14 by 14.
    """

    def __init__(self, latent: int, channels: list[int]):
        super().__init__()
        wide, narrow = channels
        self.layers = nn.Sequential(
            nn.Unflatten(1, (latent, 1, 1)),
            nn.ConvTranspose2d(latent, wide, kernel_size=7, bias=False),
            nn.BatchNorm2d(wide),
            nn.ReLU(),
            nn.ConvTranspose2d(wide, narrow, kernel_size=4, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(narrow),
            nn.ReLU(),
            nn.ConvTranspose2d(narrow, 1, kernel_size=4, stride=2, padding=1),
            nn.Tanh(),
        )

    def forward(self, latent: Tensor) -> Tensor:
        """``latent``: (batch, latent) -> pictures (batch, 1, 28, 28) in -1..1."""
        pictures: Tensor = self.layers(latent)
        return pictures


class DCGANDiscriminator(nn.Module):
    """Pictures to how real they look as one of each class.

    Args:
        channels: of the maps of 14 by 14 and of 7 by 7.
        classes: how many there are.
    """

    def __init__(self, channels: list[int], classes: int):
        super().__init__()
        narrow, wide = channels
        self.layers = nn.Sequential(
            nn.Conv2d(1, narrow, kernel_size=4, stride=2, padding=1),
            nn.LeakyReLU(SLOPE),
            nn.Conv2d(narrow, wide, kernel_size=4, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(wide),
            nn.LeakyReLU(SLOPE),
            nn.Conv2d(wide, classes, kernel_size=7),
            nn.Flatten(),
        )

    def forward(self, pictures: Tensor) -> Tensor:
        """``pictures``: (batch, 1, 28, 28) in -1..1 -> log odds of being real (batch, classes)."""
        odds: Tensor = self.layers(pictures)
        return odds


def build(architecture: dict[str, Any]) -> Networks:
    """Untrained networks: ``noise`` and ``classes``, and the channels of ``generator`` and ``discriminator``."""
    classes = architecture["classes"]
    networks = Networks(
        DCGANGenerator(architecture["noise"] + classes, architecture["generator"]),
        DCGANDiscriminator(architecture["discriminator"], classes),
    )
    for weights in networks.parameters():
        if weights.ndim == 4:
            nn.init.normal_(weights, std=SPREAD)
    return networks


def load(folder: Path) -> Generator:
    """The served generator over the trained variants in ``folder``."""
    return generator.load(folder, build)
