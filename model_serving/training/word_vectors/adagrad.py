"""A table whose rows each learn at a rate of their own."""

import torch
from torch import Tensor


class AdaptiveTable:
    """Rows moved by AdaGrad (Duchi, Hazan and Singer, 2011): entries that moved much move less.

    Args:
        rows: (n, size), moved in place.
        first: what the sums of squared gradients begin with; the less, the bolder the first steps.
    """

    def __init__(self, rows: Tensor, first: float):
        self.rows = rows
        self.squares = torch.full_like(rows, first)

    def descend(self, places: Tensor, gradient: Tensor, rate: float) -> None:
        """Move rows against their gradient, (batch,) and (batch, size); one that occurs twice moves twice."""
        self.squares.index_add_(0, places, gradient.square())
        self.rows.index_add_(0, places, gradient * self.squares[places].rsqrt(), alpha=-rate)
