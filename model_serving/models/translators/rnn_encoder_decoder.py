"""RNN Encoder-Decoder: one network reads a sentence into a single vector, another writes from that vector alone.

Cho et al., 2014, "Learning phrase representations using RNN encoder-decoder for statistical machine translation",
arXiv:1406.1078. Departures: the reset gate works on the sums of the old state and not on the state (as in cuDNN), so
that whole sentences run at once; dropout; the output vectors are those of the target sub-words (Press and Wolf, 2017),
where the paper has two matrices of low rank.
"""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_serving.models.layers.maxout import MaxoutPairs
from model_serving.models.layers.recurrent import fold, run, run_to_end, unfold
from model_serving.models.translators import references
from model_serving.models.translators.beam_search import State
from model_serving.models.translators.embeddings import subword_embedding
from model_serving.models.translators.references import ReferenceTranslator
from model_serving.models.translators.subwords import PADDING


class RNNEncoderDecoderNetwork(nn.Module):
    """Scores target sub-words by the source sentence and the target so far.

    Args:
        sources, targets: sizes of the two vocabularies.
        embedding_size: of a sub-word's vector.
        hidden_size: of the states of encoder and decoder, and of the vector between them.
        dropout: share of the embedding and output values left out in training.
    """

    def __init__(self, *, sources: int, targets: int, embedding_size: int, hidden_size: int, dropout: float = 0.0):
        super().__init__()
        self.source_embedding = subword_embedding(sources, embedding_size)
        self.target_embedding = subword_embedding(targets, embedding_size)
        self.encoder = nn.GRU(embedding_size, hidden_size, batch_first=True)
        self.summary = nn.Linear(hidden_size, hidden_size)
        self.initial = nn.Linear(hidden_size, hidden_size)
        self.decoder = nn.GRU(embedding_size + hidden_size, hidden_size, batch_first=True)
        self.maxout = MaxoutPairs(hidden_size + embedding_size + hidden_size, embedding_size)
        self.output_bias = nn.Parameter(torch.zeros(targets))
        self.dropout = nn.Dropout(dropout)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Score each next sub-word: ``source`` (batch, read), ``target`` (batch, written) int64 -> logits.

        Logits are (batch, written, targets); row t has seen the target up to t.
        """
        memory = self.encode(source)
        return self._advance(target, memory["summary"], self.start(memory)["state"])[0]

    def encode(self, source: Tensor) -> State:
        """The summary c of each sentence of ``source`` (batch, read) int64, padded with 0 to the right."""
        embedded = self.dropout(self.source_embedding(source))
        _, last = run_to_end(self.encoder, embedded, (source != PADDING).sum(1))
        return {"summary": torch.tanh(self.summary(last[0]))}

    def start(self, memory: State) -> State:
        """The decoder's first state, (batch, 1, layers, hidden) of one layer, from the summary (appendix A.1.2)."""
        return {"state": torch.tanh(self.initial(memory["summary"]))[:, None, None]}

    def step(self, tokens: Tensor, memory: State, past: State) -> tuple[Tensor, State]:
        """See :data:`model_serving.models.translators.beam_search.Step`."""
        summary = memory["summary"].repeat_interleave(tokens.size(1), dim=0)
        logits, state = self._advance(tokens.reshape(-1, 1), summary, past["state"])
        return logits.view(*tokens.shape, -1).log_softmax(dim=2), {"state": state}

    def _advance(self, tokens: Tensor, summary: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Write ``tokens`` (rows, written) on from ``state`` (batch, beam, 1, hidden): logits and the last state.

        The summary is told again at each step and to the output (equations 7 and 8), which is deep, with one maxout
        layer of pairs (appendix A.1.2).
        """
        embedded = self.dropout(self.target_embedding(tokens))
        summaries = summary.unsqueeze(1).expand(-1, tokens.size(1), -1)
        states, last = run(self.decoder, torch.cat([embedded, summaries], dim=2), fold(state))
        deep = self.dropout(self.maxout(torch.cat([states, embedded, summaries], dim=2)))
        return functional.linear(deep, self.target_embedding.weight, self.output_bias), unfold(last, state.size(1))


def load(folder: Path) -> ReferenceTranslator:
    """The served translator over the trained variants in ``folder``; it scores given translations too."""
    return references.load(folder, RNNEncoderDecoderNetwork)
