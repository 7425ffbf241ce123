"""Recurrent layers whose answer for a row does not depend on the rows beside it."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

STRETCH = 64
"""Steps taken between two looks at which rows have ended: fewer save more padding and cost more calls, each of which
packs the weights anew."""

FEWEST_ROWS, FEWEST_BFLOAT16_ROWS = 2, 4
"""With fewer the products of a step are taken by other kernels, which round otherwise."""


def open_forget_gates(network: nn.Module) -> None:
    """Have an LSTM or its cell begin with a bias of 1 for the forget gates, and of 0 for all else.

    So what is read early lasts from the first update on (Jozefowicz, Zaremba and Sutskever, 2015, "An empirical
    exploration of recurrent network architectures", section 2.2).
    """
    with torch.no_grad():
        for name, bias in network.named_parameters():
            if name.startswith("bias"):
                bias.zero_()
            if name.startswith("bias_ih"):
                bias.view(4, -1)[1] = 1  # gates stand in the order input, forget, cell, output


def reverse_by_length(states: Tensor, lengths: Tensor) -> Tensor:
    """Turn round the first ``lengths`` steps of each row, leaving the padding where it is: (batch, time, size)."""
    steps = torch.arange(states.size(1), device=states.device)
    mirrored = lengths.unsqueeze(1) - 1 - steps
    index = torch.where(mirrored < 0, steps, mirrored)
    rows = torch.arange(states.size(0), device=states.device).unsqueeze(1)
    return states[rows, index]


def run(network: nn.LSTM | nn.GRU, inputs: Tensor, state: Any = None) -> tuple[Tensor, Any]:
    """Run a one-directional network over rows of one length, beside rows of zeros where there are too few.

    Args:
        network: ``batch_first``.
        inputs: (rows, time, inputs).
        state: (layers, rows, hidden), of an LSTM two of these; without, zeros.

    Returns:
        states of the last layer (rows, time, hidden) and the state after the last step.
    """
    rows = len(inputs)
    fewest = FEWEST_BFLOAT16_ROWS if inputs.dtype == torch.bfloat16 else FEWEST_ROWS
    lacking = max(0, fewest - rows)
    if lacking:
        inputs = pad(inputs, (0, 0, 0, 0, 0, lacking))
        state = _each(state, partial(_joined, rows=lacking))
    states, last = network(inputs, state)
    return states[:rows], _each(last, partial(_first, rows=rows))


def run_padded(network: nn.LSTM | nn.GRU, inputs: Tensor, lengths: Tensor) -> Tensor:
    """Run a one-directional network over padded rows, leaving those that have ended out of the steps to come.

    Packing would make the products of a step depend on how many rows are still running, and with them the last
    bits of every result; here rows see the same products whatever their neighbours.

    Args:
        network: ``batch_first``.
        inputs: (batch, time, inputs), the rows in falling order of length.
        lengths: (batch,) int64.

    Returns:
        (batch, time, hidden); past a row's length the values mean nothing.
    """
    batch, time, _ = inputs.shape
    state = None
    pieces = []
    for start in range(0, time, STRETCH):
        rows = int((lengths > start).sum())
        running = _each(state, partial(_first, rows=rows))
        piece, state = run(network, inputs[:rows, start : start + STRETCH], running)
        pieces.append(pad(piece, (0, 0, 0, 0, 0, batch - rows)))
    return torch.cat(pieces, dim=1)


def run_to_end(network: nn.LSTM | nn.GRU, inputs: Tensor, lengths: Tensor) -> tuple[Tensor, Any]:
    """Run a one-directional network of any depth over padded rows, each to its own end.

    The rows are moved to end together, so each joins with a state of zeros where it begins, and no state has to be
    kept aside. As in :func:`run_padded`, rows see the same products whatever their neighbours.

    Args:
        network: ``batch_first``.
        inputs: (batch, time, inputs), padded to the right.
        lengths: (batch,) int64.

    Returns:
        states of the last layer (batch, time, hidden), which mean nothing past a row's length, and the state after
        each row's last step as the network gives it: (layers, batch, hidden), of an LSTM two of these.
    """
    batch, time, _ = inputs.shape
    order = lengths.argsort(descending=True, stable=True)
    begins = (time - lengths)[order]
    moved = _roll(inputs[order], begins)
    state = None
    running = 0
    pieces = []
    for start, end in pairwise([*sorted(set(begins.tolist())), time]):
        rows = int((begins <= start).sum())
        joined = _each(state, partial(_joined, rows=rows - running))
        piece, state = run(network, moved[:rows, start:end], joined)
        pieces.append(pad(piece, (0, 0, 0, 0, 0, batch - rows)))
        running = rows
    back = order.argsort()
    nothing = inputs.new_zeros(batch, int(begins.min()), network.hidden_size)
    states = _roll(torch.cat([nothing, *pieces], dim=1), -begins)[back]
    return states, _each(state, lambda part: part[:, back])


def fold(state: Tensor) -> Tensor:
    """The states of hypotheses (batch, beam, layers, hidden) as a network of several layers takes them.

    That is (layers, batch * beam, hidden).
    """
    return state.flatten(0, 1).transpose(0, 1).contiguous()


def unfold(state: Tensor, beam: int) -> Tensor:
    """What :func:`fold` was given, of the state that a network leaves."""
    layers, _, hidden = state.shape
    return state.transpose(0, 1).reshape(-1, beam, layers, hidden)


def _roll(states: Tensor, shifts: Tensor) -> Tensor:
    """Move each row of (batch, time, size) by so many steps, what falls off one end coming in at the other."""
    time = states.size(1)
    index = (torch.arange(time, device=states.device) - shifts.unsqueeze(1)) % time
    return states[torch.arange(states.size(0), device=states.device).unsqueeze(1), index]


def _each(state: Any, change: Callable[[Tensor], Tensor]) -> Any:
    """Change a state: a GRU has one tensor, an LSTM two, and before the first step there is none."""
    if isinstance(state, tuple):
        return tuple(map(change, state))
    return None if state is None else change(state)


def _first(part: Tensor, rows: int) -> Tensor:
    """The first rows of (layers, rows, hidden)."""
    return part[:, :rows].contiguous()


def _joined(part: Tensor, rows: int) -> Tensor:
    """So many rows of zeros after those of (layers, rows, hidden)."""
    return pad(part, (0, 0, 0, rows))


class _Bidirectional(nn.Module):
    """Two recurrent networks over the padded batch, the second over each row turned round by its own length.

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
        order = lengths.argsort(descending=True, stable=True)
        read, falling = inputs.to(next(self.forwards.parameters()).dtype)[order], lengths[order]
        ahead = run_padded(self.forwards, read, falling)
        back = run_padded(self.backwards, reverse_by_length(read, falling), falling)
        states = torch.cat([ahead, reverse_by_length(back, falling)], dim=2)
        return states[order.argsort()].to(inputs.dtype)


class BidirectionalLSTM(_Bidirectional):
    """Long short-term memory both ways (Hochreiter and Schmidhuber, 1997): ``inputs`` and ``hidden`` as above."""

    def __init__(self, inputs: int, hidden: int):
        super().__init__(nn.LSTM, inputs, hidden)


class BidirectionalGRU(_Bidirectional):
    """Gated recurrent units both ways (Cho et al., 2014, arXiv:1406.1078): ``inputs`` and ``hidden`` as above."""

    def __init__(self, inputs: int, hidden: int):
        super().__init__(nn.GRU, inputs, hidden)
