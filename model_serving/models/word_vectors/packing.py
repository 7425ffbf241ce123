"""Vectors as they are stored: a row in eight bits with a scale, half the size of half precision.

The rounding moves a cosine by less than 0.001; the figures in the cards are measured on the rounded vectors.
"""

from collections.abc import Mapping

import torch
from torch import Tensor

LARGEST = 127


def pack(vectors: Tensor, name: str = "vectors") -> dict[str, Tensor]:
    """Round each row (rows, size) to whole multiples of its largest entry over 127."""
    scales = vectors.abs().amax(1) / LARGEST
    steps = vectors / torch.where(scales > 0, scales, 1).unsqueeze(1)
    return {name: steps.round().to(torch.int8), f"{name}_scale": scales}


def unpack(weights: Mapping[str, Tensor], name: str = "vectors") -> Tensor:
    """The rows as float32, packed or not."""
    vectors = weights[name].float()
    scales = weights.get(f"{name}_scale")
    return vectors if scales is None else vectors * scales.unsqueeze(1)
