"""Draws from many discrete distributions at once, each draw in constant time.

Walker, 1977, "An efficient method for generating discrete random variables with general distributions", ACM TOMS 3(3):
an outcome is drawn evenly, and kept with a probability of its own or else exchanged for the one it is paired with.
"""

import torch
from torch import Tensor


class Alias:
    """Distributions that lie behind each other in one row of weights.

    Args:
        weights: (n,), not negative; in proportion to the probabilities within a segment.
        offsets: (segments + 1,) int64, rising; segment s is ``weights[offsets[s]:offsets[s + 1]]``; left out, all.
    """

    def __init__(self, weights: Tensor, offsets: Tensor | None = None):
        self._offsets = torch.tensor([0, len(weights)]) if offsets is None else offsets
        self._sizes = self._offsets.diff()
        segments = torch.arange(len(self._sizes)).repeat_interleave(self._sizes)
        totals = torch.zeros(len(self._sizes), dtype=torch.float64).index_add_(0, segments, weights.double())
        kept = weights.double() * self._sizes[segments] / totals[segments].clamp(min=torch.finfo(torch.float64).tiny)
        self._kept = kept
        self._other = torch.arange(len(weights))
        uneven: Tensor = torch.unique(segments[(kept - 1).abs() > 1e-9])
        self._even = len(uneven) == 0
        for segment in uneven.tolist():
            self._pair(int(self._offsets[segment]), int(self._offsets[segment + 1]))

    def _pair(self, first: int, end: int) -> None:
        """Fill each outcome that is owed less than an even share up with one that is owed more."""
        kept = self._kept[first:end].tolist()
        other = list(range(first, end))
        poor = [place for place, share in enumerate(kept) if share < 1]
        rich = [place for place, share in enumerate(kept) if share >= 1]
        while poor and rich:
            taker, giver = poor.pop(), rich[-1]
            other[taker] = first + giver
            kept[giver] -= 1 - kept[taker]
            if kept[giver] < 1:
                poor.append(rich.pop())
        for place in poor + rich:  # what rounding has left
            kept[place] = 1.0
        self._kept[first:end] = torch.tensor(kept, dtype=torch.float64)
        self._other[first:end] = torch.tensor(other)

    def draw(self, segments: Tensor, random: torch.Generator) -> Tensor:
        """A place in the weights for each of some segments (...) int64, none of them empty: (...) int64."""
        sizes = self._sizes[segments]
        if self._even:
            places = (torch.rand(sizes.shape, generator=random) * sizes).long()
            return self._offsets[segments] + torch.minimum(places, sizes - 1)
        drawn = torch.rand(sizes.shape, generator=random, dtype=torch.float64) * sizes
        places = torch.minimum(drawn.long(), sizes - 1)
        rest = drawn - places
        places += self._offsets[segments]
        return torch.where(rest < self._kept[places], places, self._other[places])

    def probabilities(self) -> Tensor:
        """Of each place within its segment, as the tables hold them: (n,) float64."""
        kept = self._kept.clamp(max=1)
        found = kept.index_add(0, self._other, 1 - kept) if not self._even else kept
        return found / self._sizes.repeat_interleave(self._sizes)
