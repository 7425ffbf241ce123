"""Where pictures come from: a point of noise for each (seed, number), and the ways between two points.

The noise of a draw is made from the random words of Philox4x64-10 (Salmon et al., 2011, "Parallel random numbers: as
easy as 1, 2, 3") with the key (seed, number): word i gives value i by the inverse of the normal distribution, the word
after the noise gives the class. So it depends on nothing else, on no batch, worker or library's way of sampling.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor


@dataclass(frozen=True)
class Draw:
    """Picture ``number`` of a ``seed``."""

    seed: int
    number: int


@dataclass(frozen=True)
class Between:
    """A point ``share`` (0..1) of the way from one draw to another."""

    start: Draw
    end: Draw
    share: float


def noise_and_class(draw: Draw, size: int, classes: int) -> tuple[Tensor, int]:
    """The noise (size,) float32 of a draw, and which of so many classes it is of."""
    words = np.random.Philox(key=np.array([draw.seed, draw.number], dtype=np.uint64)).random_raw(size + 1)
    uniform = ((words[:size] >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    return torch.special.ndtri(torch.from_numpy(uniform)).float(), int(words[size] % np.uint64(classes))


def interpolate(start: Tensor, end: Tensor, share: float) -> Tensor:
    """The point ``share`` of the way along the arc from ``start`` to ``end``, both (size,).

    White, 2016, "Sampling generative networks", arXiv:1609.04468, section 2.1: a straight way would pass closer to the
    origin than noise ever lies. Both ends are met exactly.
    """
    angle = math.acos(max(-1.0, min(1.0, torch.cosine_similarity(start.double(), end.double(), dim=0).item())))
    arc = math.sin(angle)
    if arc < 1e-6:
        return torch.lerp(start, end, share)
    return math.sin((1 - share) * angle) / arc * start + math.sin(share * angle) / arc * end


def join(noise: Tensor, weights: Tensor) -> Tensor:
    """What a generator draws from: noise (batch, size), with class weights (batch, classes) where there are some."""
    return torch.cat([noise, weights], dim=1) if weights.shape[1] > 1 else noise
