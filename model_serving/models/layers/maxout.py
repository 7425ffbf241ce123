"""Maxout: the larger of each two sums."""

import torch
from torch import Tensor, nn


class MaxoutPairs(nn.Linear):
    """A linear layer of twice as many units, of which each two that stand together give one: their maximum.

    Goodfellow et al., 2013, "Maxout networks", arXiv:1302.4389, with two pieces a unit.

    Args:
        inputs, outputs: sizes of the vectors.
    """

    def __init__(self, inputs: int, outputs: int):
        super().__init__(inputs, 2 * outputs)

    def forward(self, inputs: Tensor) -> Tensor:
        """``inputs`` (..., inputs) -> (..., outputs)."""
        sums = super().forward(inputs)
        return torch.amax(sums.view(*sums.shape[:-1], -1, 2), dim=-1)
