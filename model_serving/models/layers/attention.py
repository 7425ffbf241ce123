"""Attention: a weighted mean of values, the weights told by how well their keys fit a query."""

import math

import torch
from torch import Tensor, nn


def scaled_dot_product(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Attention by dot products (Vaswani et al., 2017, section 3.2.1).

    Args:
        queries: (..., asking, size).
        keys, values: (..., told, size).
        mask: bool, broadcast to (..., asking, told); False hides a key. No query may have every key hidden.

    Returns:
        context (..., asking, size) and weights (..., asking, told), which sum to 1.
    """
    return weighted_mean(queries @ keys.transpose(-2, -1) / math.sqrt(queries.size(-1)), values, mask)


def weighted_mean(scores: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Attention by any scores.

    Args:
        scores: (..., asking, told).
        values: (..., told, size).
        mask: bool, broadcast to (..., asking, told); False hides a value. No query may have every value hidden.

    Returns:
        context (..., asking, size) and weights (..., asking, told), which sum to 1.
    """
    weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
    return weights @ values, weights


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each over its own projection (Vaswani et al., 2017, section 3.2.2).

    Keys and values are projected apart from the queries, so that a decoder can keep them.

    Args:
        size: of a state, a multiple of ``heads``.
        heads: how many.
    """

    def __init__(self, size: int, heads: int):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(size, size)
        self.key = nn.Linear(size, size)
        self.value = nn.Linear(size, size)
        self.output = nn.Linear(size, size)
        for projection in (self.query, self.key, self.value):
            nn.init.xavier_uniform_(projection.weight)

    def project(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values (..., heads, time, size / heads) of states (..., time, size)."""
        return self._split(self.key(states)), self._split(self.value(states))

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Attend.

        Args:
            queries: (..., asking, size), not projected yet.
            keys, values: from :meth:`project`.
            mask: bool, broadcast to (..., heads, asking, told).

        Returns:
            context (..., asking, size) and weights (..., heads, asking, told).
        """
        context, weights = scaled_dot_product(self._split(self.query(queries)), keys, values, mask)
        joined: Tensor = self.output(context.transpose(-3, -2).flatten(-2))
        return joined, weights

    def _split(self, states: Tensor) -> Tensor:
        return states.view(*states.shape[:-1], self.heads, -1).transpose(-3, -2)


class AdditiveAttention(nn.Module):
    """Attention by a small network: v tanh(W query + U key) (Bahdanau et al., 2014, appendix A.1.2).

    Args:
        query_size, key_size: of the vectors compared.
        hidden: of the layer that compares them.
    """

    def __init__(self, query_size: int, key_size: int, hidden: int):
        super().__init__()
        self.query = nn.Linear(query_size, hidden)
        self.key = nn.Linear(key_size, hidden, bias=False)
        self.score = nn.Linear(hidden, 1, bias=False)

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Attend.

        Args:
            queries: (batch, asking, query_size).
            keys: (batch, told, hidden), ``key`` of the values, which a decoder can keep.
            values: (batch, told, key_size).
            mask: (batch, told) bool; False hides a value.

        Returns:
            context (batch, asking, key_size) and weights (batch, asking, told), which sum to 1.
        """
        return weighted_mean(self.scores(queries, keys), values, mask.unsqueeze(1))

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """How well each key fits each query, before they are weighed: (batch, asking, told)."""
        compared = torch.tanh(self.query(queries).unsqueeze(2) + keys.unsqueeze(1))
        fits: Tensor = self.score(compared).squeeze(-1)
        return fits
