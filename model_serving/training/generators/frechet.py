"""How good drawn pictures are, as a classifier of real ones sees them.

Heusel et al., 2017, "GANs trained by a two time-scale update rule converge to a local Nash equilibrium",
arXiv:1706.08500, section 3: the Frechet distance between two Gaussians, fitted to the features of drawn and of real
pictures. Theirs are the features of an Inception network, which knows nothing of digits; here they are the
penultimate ones of a LeNet trained on the same set.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from model_serving.models.generators.lenet import LeNet
from model_serving.models.generators.pictures import to_pixels, to_signed

CONFIDENT = 0.9
COMPONENTS = 100
"""Principal components of the simple generator that the networks must beat."""


@dataclass(frozen=True)
class Seen:
    """What a classifier sees in pictures: ``features`` (n, size) float64 and ``probabilities`` (n, classes)."""

    features: Tensor
    probabilities: Tensor


@dataclass(frozen=True)
class Quality:
    """Of many drawn pictures: the Frechet distance to real ones, and in points of 100:

    how many the classifier is confident of, the entropy over the classes it finds (100: all alike), and the shares of
    the rarest and of the commonest class.
    """

    distance: float
    confident: float
    entropy: float
    rarest: float
    commonest: float


@torch.inference_mode()
def look(judge: LeNet, pixels: Tensor) -> Seen:
    """What the classifier sees in pictures (n, 28, 28) uint8."""
    features = torch.cat([judge.features(to_signed(some)) for some in torch.split(pixels, 1000)])
    return Seen(features.double(), judge.classifier(features).softmax(1))


def quality(drawn: Seen, real: Seen) -> Quality:
    """How drawn pictures compare with real ones."""
    confidence, classes = drawn.probabilities.max(1)
    shares = torch.bincount(classes, minlength=drawn.probabilities.shape[1]) / len(classes)
    return Quality(
        distance=frechet_distance(drawn.features, real.features),
        confident=100 * (confidence > CONFIDENT).double().mean().item(),
        entropy=100 * torch.special.entr(shares).sum().item() / math.log(len(shares)),
        rarest=100 * shares.min().item(),
        commonest=100 * shares.max().item(),
    )


def frechet_distance(drawn: Tensor, real: Tensor) -> float:
    """``|m1 - m2|^2 + tr(C1 + C2 - 2 (C1 C2)^(1/2))`` for features (n, size) float64, one row a picture."""
    means = ((drawn.mean(0) - real.mean(0)) ** 2).sum()
    root = _root(_covariance(drawn))
    product = root @ _covariance(real) @ root  # has the eigenvalues of C1 C2, and is symmetric
    cross = torch.linalg.eigvalsh(product).clamp(min=0).sqrt().sum()
    distance = means + drawn.var(0).sum() + real.var(0).sum() - 2 * cross
    return max(0.0, float(distance))


def nearest(pixels: Tensor, others: Tensor) -> float:
    """Median Euclidean distance from pictures (n, 28, 28) uint8 to the nearest of others, a pixel counting 0..1."""
    found, known = (pictures.flatten(1).float() / 255 for pictures in (pixels, others))
    least = [torch.cdist(some, known).amin(1) for some in torch.split(found, 100)]
    return torch.cat(least).median().item()


def gaussian_pictures(pixels: Tensor, count: int, seed: int) -> Tensor:
    """Pictures (count, 28, 28) uint8 of a Gaussian fitted to the first principal components of ``pixels``."""
    flat = to_signed(pixels).flatten(1)
    mean = flat.mean(0)
    values, vectors = torch.linalg.eigh(_covariance(flat))
    scales, directions = values[-COMPONENTS:].clamp(min=0).sqrt(), vectors[:, -COMPONENTS:]
    points = torch.randn(count, COMPONENTS, generator=torch.Generator().manual_seed(seed))
    return to_pixels((mean + (points * scales) @ directions.T).reshape(count, *pixels.shape[1:]))


def noise_pictures(count: int, side: int, seed: int) -> Tensor:
    """Pictures (count, side, side) uint8 of nothing but noise."""
    source = torch.Generator().manual_seed(seed)
    return torch.randint(0, 256, (count, side, side), generator=source).to(torch.uint8)


def _covariance(rows: Tensor) -> Tensor:
    centred = rows - rows.mean(0)
    return centred.T @ centred / (len(rows) - 1)


def _root(symmetric: Tensor) -> Tensor:
    values, vectors = torch.linalg.eigh(symmetric)
    root: Tensor = (vectors * values.clamp(min=0).sqrt()) @ vectors.T
    return root
