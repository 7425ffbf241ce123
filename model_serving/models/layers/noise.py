"""Words drawn at random to be told from true neighbours."""

import torch
from torch import Tensor

POWER = 0.75


class Noise:
    """Draws words with a probability proportional to their count to the power 0.75 (Mikolov et al., 2013, 2.2).

    Args:
        counts: (words,), how often each was seen.
        power: another than that; 1 draws words as they are seen.
    """

    def __init__(self, counts: Tensor, power: float = POWER):
        weights = counts.double() ** power
        self._bounds = (weights.cumsum(0) / weights.sum()).float()

    def draw(self, number: int, random: torch.Generator) -> Tensor:
        """``number`` rows, each drawn anew: (number,) int64."""
        drawn = torch.searchsorted(self._bounds, torch.rand(number, generator=random), right=True)
        return drawn.clamp_(max=len(self._bounds) - 1)
