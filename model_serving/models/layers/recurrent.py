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


class _Bidirectional(nn.Module):
    """Two recurrent networks over the padded batch, the second over each row turned round by its own length.

    Packing would make the products of a step depend on how many rows are still running, and with them the last
    bits of every result; padded rows see the same products whatever their neighbours.

    Args:
        network: ``nn.LSTM`` or ``nn.GRU``.
        inputs: size of an input vector.
        hidden: size of each direction's state; the result has twice that.
    """

    def __init__(self, network: type[nn.LSTM] | type[nn.GRU], inputs: int, hidden: int):
        super().__init__()
        self.forwards = network(inputs, hidden, batch_first=True)
        self.backwards = network(inputs, hidden, batch_first=True)

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """``inputs`` (batch, time, inputs), ``lengths`` (batch,) int64 -> (batch, time, 2 * hidden).

        The steps are taken in the precision of the weights, the result has that of the inputs.
        """
        read = inputs.to(next(self.forwards.parameters()).dtype)
        ahead, _ = self.forwards(read)
        back, _ = self.backwards(reverse_by_length(read, lengths))
        return torch.cat([ahead, reverse_by_length(back, lengths)], dim=2).to(inputs.dtype)


class BidirectionalLSTM(_Bidirectional):
    """Long short-term memory both ways (Hochreiter and Schmidhuber, 1997): ``inputs`` and ``hidden`` as above."""

    def __init__(self, inputs: int, hidden: int):
        super().__init__(nn.LSTM, inputs, hidden)


class BidirectionalGRU(_Bidirectional):
    """Gated recurrent units both ways (Cho et al., 2014, arXiv:1406.1078): ``inputs`` and ``hidden`` as above."""

    def __init__(self, inputs: int, hidden: int):
        super().__init__(nn.GRU, inputs, hidden)
