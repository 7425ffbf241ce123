"""Convolutional sequence to sequence: no recurrence, and attention in every layer of the decoder.

Gehring et al., 2017, "Convolutional sequence to sequence learning", arXiv:1705.03122. Departures: Adam without weight
normalisation; the output vectors are those of the target sub-words (Press and Wolf, 2017); places beyond the table of
their vectors share its last.
"""

import math
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_serving.models.layers.attention import weighted_mean
from model_serving.models.layers.gated_convolution import GatedConvolution, linear, scale_gradient
from model_serving.models.translators import translator
from model_serving.models.translators.beam_search import State
from model_serving.models.translators.embeddings import subword_embedding
from model_serving.models.translators.subwords import PADDING
from model_serving.models.translators.translator import Translator

HALF = math.sqrt(0.5)
"""Halves the variance of a sum of two (section 3.4)."""


class PlacedEmbedding(nn.Module):
    """Vectors of sub-words, each plus that of its place (section 3.1).

    Args:
        count: of sub-words.
        size: of a vector.
        places: with vectors of their own.
        dropout: share of the values left out in training.
    """

    def __init__(self, count: int, size: int, places: int, dropout: float):
        super().__init__()
        self.subwords = subword_embedding(count, size)
        self.places = nn.Embedding(places, size)
        nn.init.normal_(self.places.weight, std=0.1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, numbers: Tensor, places: Tensor) -> Tensor:
        """``numbers`` and ``places`` (..., time) int64 -> (..., time, size)."""
        placed = self.places(places.clamp(max=self.places.num_embeddings - 1))
        embedded: Tensor = self.dropout(self.subwords(numbers) + placed)
        return embedded


class DecoderLayer(nn.Module):
    """A gated convolution over what is written, attention to the source, and what came in (section 3.3).

    Args:
        size: of a state.
        embedding_size: of a sub-word's vector.
        width: of the convolution.
        dropout: share of the values left out in training.
    """

    def __init__(self, size: int, embedding_size: int, width: int, dropout: float):
        super().__init__()
        self.convolution = GatedConvolution(size, width, dropout)
        self.query = linear(size, embedding_size)
        self.context = linear(embedding_size, size)

    def forward(self, states: Tensor, embedded: Tensor, memory: State) -> tuple[Tensor, Tensor]:
        """Lengthen whole sentences.

        Args:
            states: (batch, time + width - 1, size), those before the first as the caller means them.
            embedded: (batch, time, embedding_size) of what is written.
            memory: see :meth:`ConvS2SNetwork.encode`.

        Returns:
            states (batch, time, size) and the attention's weights (batch, time, read).
        """
        return self.attend(self.convolution(states), states[:, self.convolution.width - 1 :], embedded, memory)

    def attend(self, convolved: Tensor, states: Tensor, embedded: Tensor, memory: State) -> tuple[Tensor, Tensor]:
        """The same from what the convolution makes of ``states``: both (batch, asking, size), of any place each."""
        queries = (self.query(convolved) + embedded) * HALF
        scores = queries @ memory["keys"].transpose(1, 2)
        context, weights = weighted_mean(scores, memory["values"], memory["mask"].unsqueeze(1))
        many = memory["mask"].sum(1).sqrt()[:, None, None]  # a mean of so many values has that much less deviation
        attended = (convolved + self.context(context * many)) * HALF
        return (attended + states) * HALF, weights


class ConvS2SNetwork(nn.Module):
    """Scores target sub-words by the source sentence and the target so far.

    Args:
        sources, targets: sizes of the two vocabularies.
        embedding_size: of a sub-word's vector.
        hidden_size: of the states between convolutions.
        layers: of encoder and decoder each.
        width: of the convolutions, odd.
        places: that have vectors of their own, in source and target.
        dropout: share of the values left out in training, of embeddings, before convolutions and the output.
    """

    def __init__(
        self,
        *,
        sources: int,
        targets: int,
        embedding_size: int,
        hidden_size: int,
        layers: int,
        width: int,
        places: int,
        dropout: float = 0.0,
    ):
        super().__init__()
        self.width = width
        self.source_embedding = PlacedEmbedding(sources, embedding_size, places, dropout)
        self.target_embedding = PlacedEmbedding(targets, embedding_size, places, dropout)
        kept = 1 - dropout
        self.into_encoder = linear(embedding_size, hidden_size, kept)
        self.encoder = nn.ModuleList(GatedConvolution(hidden_size, width, dropout) for _ in range(layers))
        self.out_of_encoder = linear(hidden_size, embedding_size)
        self.into_decoder = linear(embedding_size, hidden_size, kept)
        self.decoder = nn.ModuleList(DecoderLayer(hidden_size, embedding_size, width, dropout) for _ in range(layers))
        self.out_of_decoder = linear(hidden_size, embedding_size)
        self.output_bias = nn.Parameter(torch.zeros(targets))
        self.dropout = nn.Dropout(dropout)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Score each next sub-word: ``source`` (batch, read), ``target`` (batch, written) int64 -> logits.

        Logits are (batch, written, targets); row t has seen the target up to t.
        """
        return self._logits(self._decode(source, target)[0])

    def attention(self, source: Tensor, target: Tensor) -> Tensor:
        """How each step attends, as the mean of all layers: (batch, written, read), rows sum to 1."""
        return self._decode(source, target)[1]

    def encode(self, source: Tensor) -> State:
        """What decoding needs of ``source`` (batch, read) int64, padded with 0 to the right.

        ``keys`` (batch, read, embedding_size) are the encoder's outputs z, ``values`` the sums of z and the embeddings.
        """
        mask = source != PADDING
        inside = mask.unsqueeze(2)
        embedded = self.source_embedding(source, torch.arange(source.size(1)))
        states = self.into_encoder(embedded)
        for layer in self.encoder:
            padded = functional.pad(states.masked_fill(~inside, 0), (0, 0, self.width // 2, self.width // 2))
            states = (layer(padded) + states) * HALF
        keys = scale_gradient(self.out_of_encoder(states), 1 / len(self.decoder))
        return {"mask": mask, "keys": keys, "values": (keys + embedded) * HALF}

    def start(self, memory: State) -> State:
        """Nothing before the first place, in any layer: (batch, 1, width - 1, hidden)."""
        rows = len(memory["mask"])
        nothing = memory["keys"].new_zeros(rows, 1, self.width - 1, self.into_decoder.out_features)
        layers = {str(number): nothing for number in range(len(self.decoder))}
        return {"place": torch.zeros(rows, 1, dtype=torch.int64)} | layers

    def step(self, tokens: Tensor, memory: State, past: State) -> tuple[Tensor, State]:
        """See :data:`model_serving.models.translators.beam_search.Step`.

        Of each layer's states the last width - 1 are kept, all that the next convolution sees.
        """
        embedded = self.target_embedding(tokens, past["place"])
        states = self.into_decoder(embedded)
        kept = {"place": past["place"] + 1}
        for number, layer in enumerate(self._decoder_layers()):
            seen = torch.cat([past[str(number)], states.unsqueeze(2)], dim=2)
            kept[str(number)] = seen[:, :, 1:]
            convolved = layer.convolution(seen.flatten(0, 1)).view_as(states)
            states, _ = layer.attend(convolved, states, embedded, memory)
        return self._logits(states).log_softmax(dim=2), kept

    def _decode(self, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        """States (batch, written, hidden) and the mean of the layers' weights (batch, written, read)."""
        memory = self.encode(source)
        embedded = self.target_embedding(target, torch.arange(target.size(1)))
        states = self.into_decoder(embedded)
        every = []
        for layer in self._decoder_layers():
            states, weights = layer(functional.pad(states, (0, 0, self.width - 1, 0)), embedded, memory)
            every.append(weights)
        return states, torch.stack(every).mean(0)

    def _decoder_layers(self) -> list[DecoderLayer]:
        return list(self.decoder)  # type: ignore[arg-type]

    def _logits(self, states: Tensor) -> Tensor:
        output = self.dropout(self.out_of_decoder(states))
        return functional.linear(output, self.target_embedding.subwords.weight, self.output_bias)


def load(folder: Path) -> Translator:
    """The served translator over the trained variants in ``folder``."""
    return translator.load(folder, ConvS2SNetwork)
