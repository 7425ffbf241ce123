"""Transformer: encoder and decoder of attention alone.

Vaswani et al., 2017, "Attention is all you need", arXiv:1706.03762. Departures: layer normalisation stands before each
sub-layer and once at the end (Xiong et al., 2020, arXiv:2002.04745), which trains without a long warm-up; the two
languages have vocabularies of their own, so the decoder's embeddings alone are tied to the output.
"""

import math
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_serving.models.layers.attention import MultiHeadAttention
from model_serving.models.translators import translator
from model_serving.models.translators.beam_search import State
from model_serving.models.translators.embeddings import subword_embedding
from model_serving.models.translators.subwords import PADDING
from model_serving.models.translators.translator import Translator

Projected = tuple[Tensor, Tensor]
"""Keys and values of an attention."""


def positions(first: int, count: int, size: int) -> Tensor:
    """Sinusoids for ``count`` positions from ``first`` on (section 3.5): (count, size), sines and cosines in turn.

    The encoding of position + k is a linear function of that of the position.
    """
    rates = torch.exp(torch.arange(0, size, 2) * (-math.log(10000.0) / size))
    angles = torch.arange(first, first + count).unsqueeze(1) * rates
    return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)


class _FeedForward(nn.Sequential):
    """Two linear layers with a rectifier between (section 3.3)."""

    def __init__(self, size: int, hidden: int):
        super().__init__(nn.Linear(size, hidden), nn.ReLU(), nn.Linear(hidden, size))


class EncoderLayer(nn.Module):
    """Self-attention and a feed-forward network, each added to what comes in."""

    def __init__(self, size: int, heads: int, hidden: int, dropout: float):
        super().__init__()
        self.attention = MultiHeadAttention(size, heads)
        self.feed_forward = _FeedForward(size, hidden)
        self.attention_norm, self.feed_forward_norm = nn.LayerNorm(size), nn.LayerNorm(size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """``states`` (batch, time, size), ``mask`` (batch, 1, 1, time) bool -> (batch, time, size)."""
        normed = self.attention_norm(states)
        context, _ = self.attention(normed, *self.attention.project(normed), mask)
        states = states + self.dropout(context)
        added: Tensor = states + self.dropout(self.feed_forward(self.feed_forward_norm(states)))
        return added


class DecoderLayer(nn.Module):
    """Self-attention over what is written, attention over the source, and a feed-forward network."""

    def __init__(self, size: int, heads: int, hidden: int, dropout: float):
        super().__init__()
        self.self_attention = MultiHeadAttention(size, heads)
        self.source_attention = MultiHeadAttention(size, heads)
        self.feed_forward = _FeedForward(size, hidden)
        self.self_norm, self.source_norm, self.feed_forward_norm = (nn.LayerNorm(size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def read_self(self, states: Tensor, mask: Tensor, past: Projected | None = None) -> tuple[Tensor, Projected]:
        """Add what attention over the written finds; also its keys and values, those of ``past`` before the new.

        ``states`` (..., time, size); ``mask`` bool, broadcast to (..., heads, time, past and time).
        """
        normed = self.self_norm(states)
        keys, values = self.self_attention.project(normed)
        if past is not None:
            keys, values = torch.cat([past[0], keys], dim=-2), torch.cat([past[1], values], dim=-2)
        context, _ = self.self_attention(normed, keys, values, mask)
        return states + self.dropout(context), (keys, values)

    def read_source(self, states: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Add what attention over the source finds, then the feed-forward network; also the attention's weights.

        ``states`` (batch, time, size); ``keys``, ``values`` (batch, heads, source, size / heads); ``mask``
        (batch, 1, 1, source) bool. Weights are (batch, heads, time, source).
        """
        context, weights = self.source_attention(self.source_norm(states), keys, values, mask)
        states = states + self.dropout(context)
        return states + self.dropout(self.feed_forward(self.feed_forward_norm(states))), weights


class TransformerNetwork(nn.Module):
    """Scores target sub-words by the source sentence and the target so far.

    Args:
        sources, targets: sizes of the two vocabularies.
        size: of all states.
        heads: of each attention.
        layers: of encoder and decoder each.
        hidden: of the feed-forward networks.
        dropout: share of the values left out in training, after each sub-layer and the embeddings.
    """

    def __init__(
        self,
        *,
        sources: int,
        targets: int,
        size: int,
        heads: int,
        layers: int,
        hidden: int,
        dropout: float = 0.0,
    ):
        super().__init__()
        self.source_embedding = subword_embedding(sources, size, std=size**-0.5)
        self.target_embedding = subword_embedding(targets, size, std=size**-0.5)
        self.encoder = nn.ModuleList(EncoderLayer(size, heads, hidden, dropout) for _ in range(layers))
        self.decoder = nn.ModuleList(DecoderLayer(size, heads, hidden, dropout) for _ in range(layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(size), nn.LayerNorm(size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Score each next sub-word: ``source`` (batch, read), ``target`` (batch, written) int64 -> logits.

        Logits are (batch, written, targets); row t has seen the target up to t.
        """
        return self._logits(self._decode(self.encode(source), target)[0])

    def attention(self, source: Tensor, target: Tensor) -> Tensor:
        """How the last layer attends, as the mean of its heads: (batch, written, read), rows sum to 1."""
        return self._decode(self.encode(source), target)[1].mean(1)

    def encode(self, source: Tensor) -> State:
        """What decoding needs of ``source`` (batch, read) int64, padded with 0."""
        mask = (source != PADDING)[:, None, None, :]
        states = self._embed(self.source_embedding, source)
        for layer in self.encoder:
            states = layer(states, mask)
        states = self.encoder_norm(states)
        memory = {"mask": mask}
        for number, layer in enumerate(self._decoder_layers()):
            memory |= _named(layer.source_attention.project(states), number)
        return memory

    def start(self, memory: State) -> State:
        """Nothing written yet: (batch, 1, heads, 0, size / heads) for keys and values of each layer."""
        projected = {name: tensor for name, tensor in memory.items() if name != "mask"}
        return {name: tensor.unsqueeze(1)[:, :, :, :0] for name, tensor in projected.items()}

    def step(self, tokens: Tensor, memory: State, past: State) -> tuple[Tensor, State]:
        """See :data:`model_serving.models.translators.beam_search.Step`."""
        written = past["keys0"].size(3)
        states = self._embed(self.target_embedding, tokens.unsqueeze(2), written)
        everything = torch.ones(1, dtype=torch.bool)
        longer: State = {}
        for number, layer in enumerate(self._decoder_layers()):
            states, projected = layer.read_self(states, everything, _of_layer(past, number))
            longer |= _named(projected, number)
            states, _ = layer.read_source(states.squeeze(2), *_of_layer(memory, number), memory["mask"])
            states = states.unsqueeze(2)
        return self._logits(states.squeeze(2)).log_softmax(dim=2), longer

    def _decode(self, memory: State, target: Tensor) -> tuple[Tensor, Tensor]:
        """States (batch, written, size) and the last layer's weights over the source (batch, heads, written, read)."""
        states = self._embed(self.target_embedding, target)
        causal = torch.ones(target.size(1), target.size(1), dtype=torch.bool).tril()
        weights = states
        for number, layer in enumerate(self._decoder_layers()):
            states, _ = layer.read_self(states, causal)
            states, weights = layer.read_source(states, *_of_layer(memory, number), memory["mask"])
        return states, weights

    def _embed(self, embedding: nn.Embedding, numbers: Tensor, first: int = 0) -> Tensor:
        size = embedding.embedding_dim
        encoded = positions(first, numbers.size(-1), size)
        embedded: Tensor = self.dropout(embedding(numbers) * math.sqrt(size) + encoded)
        return embedded

    def _logits(self, states: Tensor) -> Tensor:
        return functional.linear(self.decoder_norm(states), self.target_embedding.weight)

    def _decoder_layers(self) -> list[DecoderLayer]:
        return list(self.decoder)  # type: ignore[arg-type]


def _named(projected: Projected, layer: int) -> State:
    return {f"keys{layer}": projected[0], f"values{layer}": projected[1]}


def _of_layer(state: State, layer: int) -> Projected:
    return state[f"keys{layer}"], state[f"values{layer}"]


def load(folder: Path) -> Translator:
    """The served translator over the trained variants in ``folder``."""
    return translator.load(folder, TransformerNetwork)
