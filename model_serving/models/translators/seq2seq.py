"""Sequence to sequence: a deep LSTM reads the sentence backwards, and another goes on from where it ended.

Sutskever, Vinyals and Le, 2014, "Sequence to sequence learning with neural networks", arXiv:1409.3215. The token that
ends the source in the paper, and with which writing begins, is the start token here. Departures: two layers and
narrower ones for a small corpus; dropout between them (Zaremba et al., 2014, arXiv:1409.2329); a linear layer leads to
output vectors that are those of the target sub-words (Press and Wolf, 2017).
"""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_serving.models.layers.recurrent import fold, open_forget_gates, reverse_by_length, run, run_to_end, unfold
from model_serving.models.translators import translator
from model_serving.models.translators.beam_search import State
from model_serving.models.translators.embeddings import subword_embedding
from model_serving.models.translators.subwords import PADDING
from model_serving.models.translators.translator import Translator


class Seq2SeqNetwork(nn.Module):
    """Scores target sub-words by the source sentence and the target so far.

    Args:
        sources, targets: sizes of the two vocabularies.
        embedding_size: of a sub-word's vector.
        hidden_size: of the state of each layer.
        layers: of encoder and decoder each.
        dropout: share of the values left out in training, of embeddings, between layers and before the output.
    """

    def __init__(
        self,
        *,
        sources: int,
        targets: int,
        embedding_size: int,
        hidden_size: int,
        layers: int,
        dropout: float = 0.0,
    ):
        super().__init__()
        self.source_embedding = subword_embedding(sources, embedding_size)
        self.target_embedding = subword_embedding(targets, embedding_size)
        between = dropout if layers > 1 else 0.0
        self.encoder = nn.LSTM(embedding_size, hidden_size, layers, batch_first=True, dropout=between)
        self.decoder = nn.LSTM(embedding_size, hidden_size, layers, batch_first=True, dropout=between)
        for lstm in (self.encoder, self.decoder):
            open_forget_gates(lstm)
        self.output = nn.Linear(hidden_size, embedding_size)
        self.output_bias = nn.Parameter(torch.zeros(targets))
        self.dropout = nn.Dropout(dropout)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Score each next sub-word: ``source`` (batch, read), ``target`` (batch, written) int64 -> logits.

        Logits are (batch, written, targets); row t has seen the target up to t.
        """
        return self._advance(target, self.start(self.encode(source)))[0]

    def encode(self, source: Tensor) -> State:
        """The states of all layers after ``source`` (batch, read) int64, padded with 0 to the right, last word first.

        Read backwards, the first words of source and target are near each other (section 3.3). ``hidden`` and ``cell``
        are (batch, layers, hidden).
        """
        lengths = (source != PADDING).sum(1)
        embedded = reverse_by_length(self.dropout(self.source_embedding(source)), lengths)
        _, (hidden, cell) = run_to_end(self.encoder, embedded, lengths)
        return {"hidden": hidden.transpose(0, 1), "cell": cell.transpose(0, 1)}

    def start(self, memory: State) -> State:
        """The decoder's first state is the encoder's last: (batch, 1, layers, hidden)."""
        return {name: memory[name].unsqueeze(1) for name in ("hidden", "cell")}

    def step(self, tokens: Tensor, memory: State, past: State) -> tuple[Tensor, State]:
        """See :data:`model_serving.models.translators.beam_search.Step`."""
        logits, state = self._advance(tokens.reshape(-1, 1), past)
        return logits.view(*tokens.shape, -1).log_softmax(dim=2), state

    def _advance(self, tokens: Tensor, past: State) -> tuple[Tensor, State]:
        """Write ``tokens`` (rows, written), whose rows are the hypotheses of ``past``: logits and the last states."""
        embedded = self.dropout(self.target_embedding(tokens))
        states, (hidden, cell) = run(self.decoder, embedded, (fold(past["hidden"]), fold(past["cell"])))
        output = self.dropout(self.output(self.dropout(states)))
        logits = functional.linear(output, self.target_embedding.weight, self.output_bias)
        beam = past["hidden"].size(1)
        return logits, {"hidden": unfold(hidden, beam), "cell": unfold(cell, beam)}


def load(folder: Path) -> Translator:
    """The served translator over the trained variants in ``folder``."""
    return translator.load(folder, Seq2SeqNetwork)
