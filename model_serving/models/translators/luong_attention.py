"""Deep LSTMs with attention of Luong's kinds, whose decoder is told what it looked at a step before.

Luong, Pham and Manning, 2015, "Effective approaches to attention-based neural machine translation", arXiv:1508.04025:
attention from the top layer's state, then a tanh layer over state and context, which is fed to the next step's input
(section 3.3). The source is read backwards, as there. Departures: fewer and narrower layers for a small corpus; the
output vectors are those of the target sub-words (Press and Wolf, 2017); places are counted from 0, and the predicted
window's middle is at most the last word.
"""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_serving.models.layers.recurrent import open_forget_gates, reverse_by_length, run_to_end
from model_serving.models.layers.windowed_attention import MonotonicWindow, PredictedWindow, WholeSource, score_of
from model_serving.models.translators import translator
from model_serving.models.translators.beam_search import State
from model_serving.models.translators.embeddings import subword_embedding
from model_serving.models.translators.subwords import PADDING
from model_serving.models.translators.translator import Translator
from model_serving.models.translators.units import LONGEST


class LuongAttentionNetwork(nn.Module):
    """Scores target sub-words by the source sentence and the target so far.

    Args:
        sources, targets: sizes of the two vocabularies.
        embedding_size: of a sub-word's vector and of the layer over state and context.
        hidden_size: of the state of each layer.
        layers: of encoder and decoder each.
        score: how states are compared; see :func:`model_serving.models.layers.windowed_attention.score_of`.
        window: what is looked at, ``global``, ``monotonic`` or ``predictive``.
        reach: of the last two, in sub-words on either side.
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
        score: str,
        window: str,
        reach: int = 10,
        dropout: float = 0.0,
    ):
        super().__init__()
        self.source_embedding = subword_embedding(sources, embedding_size)
        self.target_embedding = subword_embedding(targets, embedding_size)
        between = dropout if layers > 1 else 0.0
        self.encoder = nn.LSTM(embedding_size, hidden_size, layers, batch_first=True, dropout=between)
        inputs = [2 * embedding_size] + [hidden_size] * (layers - 1)
        self.cells = nn.ModuleList(nn.LSTMCell(size, hidden_size) for size in inputs)
        for lstm in (self.encoder, *self.cells):
            open_forget_gates(lstm)
        self.score = score_of(score, hidden_size, LONGEST)
        self.window = _window(window, hidden_size, reach)
        self.attentional = nn.Linear(2 * hidden_size, embedding_size, bias=False)
        self.output_bias = nn.Parameter(torch.zeros(targets))
        self.dropout = nn.Dropout(dropout)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Score each next sub-word: ``source`` (batch, read), ``target`` (batch, written) int64 -> logits.

        Logits are (batch, written, targets); row t has seen the target up to t.
        """
        return self._logits(self._decode(source, target)[0])

    def attention(self, source: Tensor, target: Tensor) -> Tensor:
        """How each step aligns: (batch, written, read); rows sum to 1, of a predictive window as they are shown."""
        weights = self._decode(source, target)[1]
        return functional.normalize(weights, p=1, dim=2)

    def encode(self, source: Tensor) -> State:
        """What decoding needs of ``source`` (batch, read) int64, padded with 0 to the right.

        ``values`` (batch, read, hidden) are the top layer's states in the order of the words, ``hidden`` and ``cell``
        (batch, layers, hidden) the last ones of all layers.
        """
        mask = source != PADDING
        lengths = mask.sum(1)
        embedded = reverse_by_length(self.dropout(self.source_embedding(source)), lengths)
        states, (hidden, cell) = run_to_end(self.encoder, embedded, lengths)
        values = reverse_by_length(states, lengths)
        keys = self.score.key(values)
        return {
            "mask": mask,
            "values": values,
            "keys": keys,
            "hidden": hidden.transpose(0, 1),
            "cell": cell.transpose(0, 1),
        }

    def start(self, memory: State) -> State:
        """The encoder's last states (batch, 1, layers, hidden), nothing looked at, and place 0."""
        rows = len(memory["mask"])
        return {
            "hidden": memory["hidden"].unsqueeze(1),
            "cell": memory["cell"].unsqueeze(1),
            "fed": memory["hidden"].new_zeros(rows, 1, self.attentional.out_features),
            "place": torch.zeros(rows, 1, dtype=torch.int64),
        }

    def step(self, tokens: Tensor, memory: State, past: State) -> tuple[Tensor, State]:
        """See :data:`model_serving.models.translators.beam_search.Step`."""
        past, _ = self._advance(self.target_embedding(tokens), memory, past)
        return self._logits(past["fed"]).log_softmax(dim=2), past

    def _decode(self, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        """Attentional vectors (batch, written, embedding) and weights (batch, written, read)."""
        memory = self.encode(source)
        past = self.start(memory)
        embedded = self.dropout(self.target_embedding(target))
        steps = []
        for place in range(target.size(1)):
            past, weights = self._advance(embedded[:, place : place + 1], memory, past)
            steps.append((past["fed"], weights))
        attentional, weights = (torch.cat(parts, dim=1) for parts in zip(*steps, strict=True))
        return attentional, weights

    def _advance(self, embedded: Tensor, memory: State, past: State) -> tuple[State, Tensor]:
        """One step of the hypotheses (batch, beam): what is kept of each, and the weights (batch, beam, read)."""
        below = torch.cat([embedded, past["fed"]], dim=2).flatten(0, 1)
        before = zip(past["hidden"].flatten(0, 1).unbind(1), past["cell"].flatten(0, 1).unbind(1), strict=True)
        states = []
        for layer, (cell, state) in enumerate(zip(self.cells, before, strict=True)):
            states.append(cell(below if layer == 0 else self.dropout(below), state))
            below = states[-1][0]
        hidden, cells = (torch.stack(parts, dim=1).view_as(past["hidden"]) for parts in zip(*states, strict=True))
        top = hidden[:, :, -1]
        scores = self.score.scores(top, memory["keys"])
        context, weights = self.window(scores, top, memory["values"], memory["mask"], past["place"])
        fed = torch.tanh(self.attentional(torch.cat([context, top], dim=2)))
        return {"hidden": hidden, "cell": cells, "fed": fed, "place": past["place"] + 1}, weights

    def _logits(self, attentional: Tensor) -> Tensor:
        return functional.linear(self.dropout(attentional), self.target_embedding.weight, self.output_bias)


def _window(kind: str, size: int, reach: int) -> nn.Module:
    match kind:
        case "global":
            return WholeSource()
        case "monotonic":
            return MonotonicWindow(reach)
        case "predictive":
            return PredictedWindow(size, reach)
    raise ValueError(f"{kind} is no window; take global, monotonic or predictive")


def load(folder: Path) -> Translator:
    """The served translator over the trained variants in ``folder``."""
    return translator.load(folder, LuongAttentionNetwork)
