"""Recurrent layers whose answer for a row does not depend on the rows beside it."""

import torch
from torch import Tensor, nn


def reverse_by_length(states: Tensor, lengths: Tensor) -> Tensor:
    """Turn round the first ``lengths`` steps of each row, leaving the padding where it is: (batch, time, size)."""
    steps = torch.arange(states.size(1), device=states.device)
    mirrored = lengths.unsqueeze(1) - 1 - steps
    index = torch.where(mirrored < 0, steps, mirrored)
    rows = torch.arange(states.size(0), device=states.device).unsqueeze(1)
    return states[rows, index]


class BidirectionalLSTM(nn.Module):
    """Two LSTMs over the padded batch, the second over each row turned round by its own length.

    Packing would make the products of a step depend on how many rows are still running, and with them the last
    bits of every result; padded rows see the same products whatever their neighbours.

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
        read = inputs.to(next(self.forwards.parameters()).dtype)
        ahead, _ = self.forwards(read)
        back, _ = self.backwards(reverse_by_length(read, lengths))
        return torch.cat([ahead, reverse_by_length(back, lengths)], dim=2).to(inputs.dtype)
