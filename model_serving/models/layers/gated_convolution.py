"""Convolution over time followed by gates."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional


class GatedConvolution(nn.Module):
    """A convolution over time and a gated linear unit (Dauphin et al., 2016, arXiv:1612.08083).

    As in Gehring et al., 2017, arXiv:1705.03122, section 3.5, the weights begin normally distributed with variance
    4p / n, of n inputs of which a share of p is kept, so that values keep their variance.

    Args:
        size: of a state.
        width: how many neighbouring states are seen at once.
        dropout: share of the values left out in training.
    """

    def __init__(self, size: int, width: int, dropout: float = 0.0):
        super().__init__()
        self.width = width
        self.dropout = nn.Dropout(dropout)
        self.linear = nn.Linear(size * width, 2 * size)
        nn.init.normal_(self.linear.weight, std=math.sqrt(4 * (1 - dropout) / (size * width)))
        nn.init.zeros_(self.linear.bias)

    def forward(self, states: Tensor) -> Tensor:
        """``states`` (batch, time + width - 1, size), padded as the caller means it, -> (batch, time, size)."""
        seen = self.dropout(states).unfold(1, self.width, 1).flatten(2)
        gated: Tensor = functional.glu(self.linear(seen), dim=2)
        return gated


def linear(inputs: int, outputs: int, kept: float = 1.0) -> nn.Linear:
    """A linear layer that begins with variance p / n, of n inputs of which a share of p is kept (section 3.5)."""
    layer = nn.Linear(inputs, outputs)
    nn.init.normal_(layer.weight, std=math.sqrt(kept / inputs))
    nn.init.zeros_(layer.bias)
    return layer


def scale_gradient(tensor: Tensor, share: float) -> Tensor:
    """The same values, of whose gradient only a ``share`` goes on backwards."""
    return tensor * share + tensor.detach() * (1 - share) if torch.is_grad_enabled() else tensor
