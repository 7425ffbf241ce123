"""Attention that looks at the whole source or at a window of it, with scores of four kinds.

Luong, Pham and Manning, 2015, "Effective approaches to attention-based neural machine translation", arXiv:1508.04025,
sections 3.1 and 3.2.
"""

from typing import Protocol

import torch
from torch import Tensor, nn

from model_serving.models.layers.attention import AdditiveAttention, weighted_mean


class Score(Protocol):
    """How well source states fit a target state."""

    def key(self, values: Tensor) -> Tensor:
        """What a decoder keeps of the source states (batch, told, size) to score them by."""

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """``queries`` (batch, asking, size) and the keys -> (batch, asking, told)."""


class DotScore(nn.Module):
    """The states' dot product (equation 8, dot)."""

    def key(self, values: Tensor) -> Tensor:
        """The states themselves."""
        return values

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """See :class:`Score`."""
        return queries @ keys.transpose(1, 2)


class GeneralScore(DotScore):
    """Their product with a matrix between (equation 8, general).

    Args:
        size: of a state.
    """

    def __init__(self, size: int):
        super().__init__()
        self.between = nn.Linear(size, size, bias=False)

    def key(self, values: Tensor) -> Tensor:
        """The states times the matrix."""
        keys: Tensor = self.between(values)
        return keys


class LocationScore(nn.Module):
    """One for each place of the source, told by the target state alone (equation 9).

    Args:
        size: of a state.
        places: that are told apart; what stands beyond them is not looked at.
    """

    def __init__(self, size: int, places: int):
        super().__init__()
        self.place = nn.Linear(size, places, bias=False)

    def key(self, values: Tensor) -> Tensor:
        """The states, of which only the number matters."""
        return values

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """See :class:`Score`."""
        scores: Tensor = self.place(queries)[:, :, : keys.size(1)]
        beyond = keys.size(1) - scores.size(2)
        return nn.functional.pad(scores, (0, beyond), value=-torch.inf)


def score_of(kind: str, size: int, places: int) -> Score:
    """The score of a ``kind``: ``dot``, ``general``, ``concat`` or ``location``.

    Raises:
        ValueError: there is no such kind.
    """
    match kind:
        case "dot":
            return DotScore()
        case "general":
            return GeneralScore(size)
        case "concat":
            return AdditiveAttention(size, size, size)
        case "location":
            return LocationScore(size, places)
    raise ValueError(f"{kind} is no score; take dot, general, concat or location")


class WholeSource(nn.Module):
    """Global attention: every source state is looked at (section 3.1)."""

    def forward(
        self, scores: Tensor, queries: Tensor, values: Tensor, mask: Tensor, place: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Attend.

        Args:
            scores: (batch, asking, told).
            queries: (batch, asking, size).
            values: (batch, told, size).
            mask: (batch, told) bool; False hides a value.
            place: (batch, asking) int64, of the word to be written, from 0 on.

        Returns:
            context (batch, asking, size) and weights (batch, asking, told), which sum to 1.
        """
        return weighted_mean(scores, values, mask.unsqueeze(1))


class MonotonicWindow(nn.Module):
    """Local attention, local-m: the window goes on with the target, word by word (section 3.2).

    Past the end of the source it stays at the last word.

    Args:
        reach: D; the window holds so many states on either side of its middle.
    """

    def __init__(self, reach: int):
        super().__init__()
        self.reach = reach

    def forward(
        self, scores: Tensor, queries: Tensor, values: Tensor, mask: Tensor, place: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Attend; see :meth:`WholeSource.forward`."""
        middle = torch.minimum(place, mask.sum(1, keepdim=True) - 1)
        return weighted_mean(scores, values, mask.unsqueeze(1) & _within(self.reach, middle, mask))


class PredictedWindow(nn.Module):
    """Local attention, local-p: the target state tells the window's middle, and what is near it weighs more.

    The weights of a softmax within the window are multiplied by a Gaussian around the middle with a standard deviation
    of ``reach`` / 2 (equations 9 and 10); they sum to less than 1.

    Args:
        size: of a state.
        reach: D.
    """

    def __init__(self, size: int, reach: int):
        super().__init__()
        self.reach = reach
        self.hidden = nn.Linear(size, size, bias=False)
        self.middle = nn.Linear(size, 1, bias=False)

    def forward(
        self, scores: Tensor, queries: Tensor, values: Tensor, mask: Tensor, place: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Attend; see :meth:`WholeSource.forward`, but for the sum."""
        middle = self.predict(queries, mask)
        _, aligned = weighted_mean(scores, values, mask.unsqueeze(1) & _within(self.reach, middle, mask))
        away = torch.arange(mask.size(1), device=mask.device) - middle.unsqueeze(2)
        weights = aligned * torch.exp(-(away**2) / (2 * (self.reach / 2) ** 2))
        return weights @ values, weights

    def predict(self, queries: Tensor, mask: Tensor) -> Tensor:
        """The middle of each query's window (equation 9), from 0 to the last word: (batch, asking)."""
        share = torch.sigmoid(self.middle(torch.tanh(self.hidden(queries)))).squeeze(2)
        last = mask.sum(1, keepdim=True) - 1
        return share * last


def _within(reach: int, middle: Tensor, mask: Tensor) -> Tensor:
    """Which states are in the window around ``middle`` (batch, asking): (batch, asking, told)."""
    return (torch.arange(mask.size(1), device=mask.device) - middle.unsqueeze(2)).abs() <= reach
