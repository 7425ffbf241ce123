"""Layers that give a row the same bits whatever rows are beside it.

Matrix libraries take products of few rows by other kernels, which add up in another order. From ``FEWEST_ROWS`` on the
order stays (measured with MKL for rows of up to 1,024 values), so what has fewer is filled up.
"""

from torch import Tensor, nn
from torch.nn import functional
from torch.nn.functional import pad

FEWEST_ROWS = 16


def filled(rows: Tensor, count: int = FEWEST_ROWS) -> Tensor:
    """At least so many rows (rows, ...), those lacking of zeros."""
    return pad(rows, (0, 0) * (rows.ndim - 1) + (0, max(0, count - len(rows))))


def linear(inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """The linear map of ``inputs`` (..., in) by ``weight`` (out, in) and ``bias`` (out,): (..., out)."""
    rows = inputs.numel() // inputs.size(-1)
    if rows >= FEWEST_ROWS:
        return functional.linear(inputs, weight, bias)
    return functional.linear(filled(inputs.reshape(rows, -1)), weight, bias)[:rows].view(*inputs.shape[:-1], -1)


class Linear(nn.Linear):
    """The linear layer of torch, steady."""

    def forward(self, inputs: Tensor) -> Tensor:
        """``inputs`` (..., in_features) -> (..., out_features)."""
        return linear(inputs, self.weight, self.bias)


class GRUCell(nn.GRUCell):
    """The gated recurrent unit of torch, steady."""

    def forward(self, inputs: Tensor, state: Tensor) -> Tensor:  # type: ignore[override]
        """``inputs`` (rows, inputs), ``state`` (rows, hidden) -> (rows, hidden)."""
        return super().forward(filled(inputs), filled(state))[: len(state)]


class LSTMCell(nn.LSTMCell):
    """The long short-term memory of torch, steady."""

    def forward(self, inputs: Tensor, state: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        """``inputs`` (rows, inputs), hidden and cell ``state`` (rows, hidden) each -> the same state a step later."""
        hidden, cell = super().forward(filled(inputs), (filled(state[0]), filled(state[1])))
        return hidden[: len(inputs)], cell[: len(inputs)]
