"""Encoder-decoder with additive attention: the decoder looks at another part of the source for each word.

Bahdanau, Cho and Bengio, 2014, "Neural machine translation by jointly learning to align and translate",
arXiv:1409.0473. Departures: dropout, and the target embeddings are those of the output too (Press and Wolf, 2017).
"""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_serving.models.layers.attention import AdditiveAttention
from model_serving.models.layers.maxout import MaxoutPairs
from model_serving.models.layers.recurrent import BidirectionalGRU
from model_serving.models.translators import translator
from model_serving.models.translators.beam_search import State
from model_serving.models.translators.embeddings import subword_embedding
from model_serving.models.translators.subwords import PADDING
from model_serving.models.translators.translator import Translator


class BahdanauAttentionNetwork(nn.Module):
    """Scores target sub-words by the source sentence and the target so far.

    Args:
        sources, targets: sizes of the two vocabularies.
        embedding_size: of a sub-word's vector.
        hidden_size: of the encoder's state in each direction, of the decoder's state and of the comparing layer.
        dropout: share of the embedding and output values left out in training.
    """

    def __init__(self, *, sources: int, targets: int, embedding_size: int, hidden_size: int, dropout: float = 0.0):
        super().__init__()
        self.source_embedding = subword_embedding(sources, embedding_size)
        self.target_embedding = subword_embedding(targets, embedding_size)
        self.encoder = BidirectionalGRU(embedding_size, hidden_size)
        self.initial = nn.Linear(hidden_size, hidden_size)
        self.attention_layer = AdditiveAttention(hidden_size, 2 * hidden_size, hidden_size)
        self.cell = nn.GRUCell(embedding_size + 2 * hidden_size, hidden_size)
        self.maxout = MaxoutPairs(hidden_size + embedding_size + 2 * hidden_size, embedding_size)
        self.output_bias = nn.Parameter(torch.zeros(targets))
        self.dropout = nn.Dropout(dropout)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Score each next sub-word: ``source`` (batch, read), ``target`` (batch, written) int64 -> logits.

        Logits are (batch, written, targets); row t has seen the target up to t.
        """
        return self._decode(source, target)[0]

    def attention(self, source: Tensor, target: Tensor) -> Tensor:
        """How each step aligns: (batch, written, read), rows sum to 1."""
        return self._decode(source, target)[1]

    def encode(self, source: Tensor) -> State:
        """What decoding needs of ``source`` (batch, read) int64, padded with 0 to the right."""
        mask = source != PADDING
        embedded = self.dropout(self.source_embedding(source))
        annotations = self.encoder(embedded, mask.sum(1))
        return {"mask": mask, "annotations": annotations, "keys": self.attention_layer.key(annotations)}

    def start(self, memory: State) -> State:
        """The decoder's first state, (batch, 1, hidden), from the backward state at the first word (appendix A.2.2)."""
        backwards = memory["annotations"][:, 0].chunk(2, dim=1)[1]
        return {"state": torch.tanh(self.initial(backwards)).unsqueeze(1)}

    def step(self, tokens: Tensor, memory: State, past: State) -> tuple[Tensor, State]:
        """See :data:`model_serving.models.translators.beam_search.Step`."""
        embedded = self.target_embedding(tokens)
        state, context, _ = self._advance(embedded, memory, past["state"])
        return self._logits(state, embedded, context).log_softmax(dim=2), {"state": state}

    def _decode(self, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        memory = self.encode(source)
        state = self.start(memory)["state"]
        embedded = self.dropout(self.target_embedding(target))
        steps = []
        for place in range(target.size(1)):
            state, context, weights = self._advance(embedded[:, place : place + 1], memory, state)
            steps.append((state, context, weights))
        states, contexts, weights = (torch.cat(parts, dim=1) for parts in zip(*steps, strict=True))
        return self._logits(states, embedded, contexts), weights

    def _advance(self, embedded: Tensor, memory: State, state: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """One step for (batch, beam) hypotheses: the new state, the context it was led by and the weights."""
        context, weights = self.attention_layer(state, memory["keys"], memory["annotations"], memory["mask"])
        inputs = torch.cat([embedded, context], dim=2)
        advanced = self.cell(inputs.flatten(0, 1), state.flatten(0, 1)).view_as(state)
        return advanced, context, weights

    def _logits(self, state: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        """The deep output with one maxout layer of pairs (appendix A.2.2)."""
        deep = self.dropout(self.maxout(torch.cat([state, embedded, context], dim=2)))
        return functional.linear(deep, self.target_embedding.weight, self.output_bias)


def load(folder: Path) -> Translator:
    """The served translator over the trained variants in ``folder``."""
    return translator.load(folder, BahdanauAttentionNetwork)
