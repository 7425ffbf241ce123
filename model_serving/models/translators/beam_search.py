"""Beam search: the likeliest translations a decoder can be led to, for a batch of sentences at once."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

State = dict[str, Tensor]
Step = Callable[[Tensor, State, State], tuple[Tensor, State]]
"""``step(tokens, memory, past) -> (log_probs, past)``, one more token for each hypothesis.

``tokens`` (batch, beam) int64 came last; ``memory`` holds tensors with one row a sentence, ``past`` (batch, beam, ...)
what the decoder keeps of each hypothesis; ``log_probs`` is (batch, beam, vocabulary).
"""


class Hypothesis(NamedTuple):
    """One translation: its ``tokens`` without start and end, and what it is worth.

    ``score`` is the log probability divided by length to the power of the length penalty; where ``finished``, the end
    was reached and counts among both.
    """

    tokens: list[int]
    score: float
    finished: bool


def beam_search(
    step: Step,
    memory: State,
    past: State,
    most: Sequence[int],
    *,
    start: int,
    end: int,
    beam_size: int,
    length_penalty: float,
    barred: Sequence[int] = (),
    once: Tensor | None = None,
) -> list[list[Hypothesis]]:
    """Keep the ``beam_size`` likeliest beginnings of each sentence and lengthen them, a token at a time.

    A hypothesis that reaches ``end`` among the best leaves the beam. A sentence is done, and leaves the batch, when
    ``beam_size`` have, or when its bound is reached; beginnings cut off there fill up what is missing.

    Args:
        step: the decoder; see :data:`Step`.
        memory: what the encoder left of each sentence.
        past: the decoder's state before the first token, (batch, 1, ...).
        most: the longest translation of each sentence in tokens, the end included; at least 1.
        start, end: the tokens around a translation.
        beam_size: how many to keep; 1 is greedy search.
        length_penalty: 0 ranks by probability alone, which favours the short; 1 by its mean a token.
        barred: tokens never written.
        once: (vocabulary,) bool, tokens not written twice in a row.

    Returns:
        for each sentence 1 to ``beam_size`` hypotheses, finished ones first, then by falling score.
    """
    found: list[list[Hypothesis]] = [[] for _ in most]
    alive = list(range(len(most)))
    tokens = torch.full((len(most), beam_size, 1), start)
    totals = torch.full((len(most), beam_size), -torch.inf)
    totals[:, 0] = 0
    width = 1  # all beginnings are one
    while alive:
        log_probs, past = step(tokens[:, :width, -1], memory, past)
        if width < beam_size:
            log_probs = log_probs.repeat(1, beam_size, 1)
            past = {name: tensor.expand(-1, beam_size, *tensor.shape[2:]) for name, tensor in past.items()}
            width = beam_size
        _rule_out(log_probs, tokens[:, :, -1:], barred, once)
        candidates = _Candidates.of(tokens, totals, log_probs)
        length = tokens.size(2)
        over = [most[sentence] == length for sentence in alive]
        for sentence, leaving in zip(alive, candidates.leaving(end, over, length**length_penalty), strict=True):
            found[sentence] += leaving[: beam_size - len(found[sentence])]
        rows = [row for row, sentence in enumerate(alive) if not over[row] and len(found[sentence]) < beam_size]
        tokens, totals, past = candidates.going_on(rows, end, past)
        if len(rows) < len(alive):
            memory = {name: tensor[rows] for name, tensor in memory.items()}
            alive = [alive[row] for row in rows]
    return [sorted(each, key=lambda hypothesis: (not hypothesis.finished, -hypothesis.score)) for each in found]


def _rule_out(log_probs: Tensor, last: Tensor, barred: Sequence[int], once: Tensor | None) -> None:
    """Leave no chance to what is barred, nor to the ``last`` tokens (batch, beam, 1) where they are written once."""
    log_probs[:, :, list(barred)] = -torch.inf
    if once is not None:
        log_probs.scatter_(2, last, log_probs.gather(2, last).masked_fill(once[last], -torch.inf))


class _Candidates(NamedTuple):
    """The likeliest lengthenings of each sentence's beginnings, best first, twice as many as the beam holds.

    So at least as many as it holds do not end, for each beginning has one way to. ``parents`` (batch, candidates) are
    the beginnings' places in the beam, ``tokens`` (batch, candidates, length) includes the new one.
    """

    parents: Tensor
    tokens: Tensor
    totals: Tensor

    @classmethod
    def of(cls, tokens: Tensor, totals: Tensor, log_probs: Tensor) -> "_Candidates":
        """Lengthen ``tokens`` (batch, beam, length), of ``totals`` (batch, beam), by every token there is."""
        sums = (totals.unsqueeze(2) + log_probs).flatten(1)
        best, places = sums.topk(2 * tokens.size(1), dim=1)
        parents, written = places // log_probs.size(2), places % log_probs.size(2)
        begun = tokens[torch.arange(len(tokens)).unsqueeze(1), parents]
        return cls(parents, torch.cat([begun, written.unsqueeze(2)], dim=2), best)

    def leaving(self, end: int, over: list[bool], norm: float) -> list[list[Hypothesis]]:
        """Those of each sentence's better half that have ended, and all of it where the sentence is ``over``."""
        beam = self.tokens.size(1) // 2
        ended = self.tokens[:, :beam, -1] == end
        leaving = (ended | torch.tensor(over).unsqueeze(1)) & self.totals[:, :beam].isfinite()
        found: list[list[Hypothesis]] = [[] for _ in over]
        for row, place in sorted(leaving.nonzero().tolist(), key=lambda each: not ended[tuple(each)]):
            finished = bool(ended[row, place])
            written = self.tokens[row, place, 1:].tolist()
            score = self.totals[row, place].item() / norm
            found[row].append(Hypothesis(written[:-1] if finished else written, score, finished))
        return found

    def going_on(self, rows: list[int], end: int, past: State) -> tuple[Tensor, Tensor, State]:
        """Tokens, totals and past of the best that have not ended, for the sentences in ``rows``."""
        beam = self.tokens.size(1) // 2
        ended = (self.tokens[rows, :, -1] == end).int()
        chosen = ended.sort(dim=1, stable=True).indices[:, :beam]
        sentences = torch.tensor(rows, dtype=torch.int64).unsqueeze(1)
        parents = self.parents[sentences, chosen]
        kept = {name: tensor[sentences, parents] for name, tensor in past.items()}
        return self.tokens[sentences, chosen], self.totals[sentences, chosen], kept
