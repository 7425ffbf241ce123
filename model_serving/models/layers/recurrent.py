"""Recurrent layers whose answer for a row does not depend on the rows beside it."""

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

STRETCH = 16
"""Steps taken between two looks at which rows have ended: fewer save more padding and cost more calls."""

FEWEST_ROWS = 4
"""With fewer the products of a step are taken by other kernels, which round otherwise."""


def reverse_by_length(states: Tensor, lengths: Tensor) -> Tensor:
    """Turn round the first ``lengths`` steps of each row, leaving the padding where it is: (batch, time, size)."""
    steps = torch.arange(states.size(1), device=states.device)
    mirrored = lengths.unsqueeze(1) - 1 - steps
    index = torch.where(mirrored < 0, steps, mirrored)
    rows = torch.arange(states.size(0), device=states.device).unsqueeze(1)
    return states[rows, index]


def run_padded(lstm: nn.LSTM, inputs: Tensor, lengths: Tensor) -> Tensor:
    """Run a one-directional LSTM over padded rows, leaving those that have ended out of the steps to come.

    Packing would make the products of a step depend on how many rows are still running, and with them the last
    bits of every result; here a step has at least ``FEWEST_ROWS``, and rows see the same products whatever their
    neighbours.

    Args:
        lstm: ``batch_first``.
        inputs: (batch, time, inputs), the rows in falling order of length.
        lengths: (batch,) int64.

    Returns:
        (batch, time, hidden); past a row's length the values mean nothing.
    """
    batch, time, _ = inputs.shape
    state = None
    pieces = []
    for start in range(0, time, STRETCH):
        rows = min(batch, max(FEWEST_ROWS, int((lengths > start).sum())))
        if state is not None:
            state = (state[0][:, :rows].contiguous(), state[1][:, :rows].contiguous())
        piece, state = lstm(inputs[:rows, start : start + STRETCH], state)
        pieces.append(pad(piece, (0, 0, 0, 0, 0, batch - rows)))
    return torch.cat(pieces, dim=1)


class BidirectionalLSTM(nn.Module):
    """Two LSTMs over the padded batch, the second over each row turned round by its own length.

    Args:
        inputs: size of an input vector.
        hidden: size of each direction's state; the result has twice that.
    """

    def __init__(self, inputs: int, hidden: int):
        super().__init__()
        self.forwards = nn.LSTM(inputs, hidden, batch_first=True)
        self.backwards = nn.LSTM(inputs, hidden, batch_first=True)

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """``inputs`` (batch, time, inputs), ``lengths`` (batch,) int64 -> (batch, time, 2 * hidden).

        The steps are taken in the precision of the weights, the result has that of the inputs.
        """
        order = lengths.argsort(descending=True, stable=True)
        read, falling = inputs.to(next(self.forwards.parameters()).dtype)[order], lengths[order]
        ahead = run_padded(self.forwards, read, falling)
        back = run_padded(self.backwards, reverse_by_length(read, falling), falling)
        states = torch.cat([ahead, reverse_by_length(back, falling)], dim=2)
        return states[order.argsort()].to(inputs.dtype)
