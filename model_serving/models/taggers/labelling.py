"""From emissions to labels: the way that all labellers go in the end."""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from torch import Tensor

from model_serving.models.layers import linear_chain
from model_serving.models.layers.linear_chain import Chain
from model_serving.models.taggers.latin import keep_whole
from model_serving.models.taggers.schemes import Span, across_kinds


class Labelling(NamedTuple):
    """The labels of one sentence, and per character and path the two terms of its spans' log probabilities.

    See :func:`model_serving.models.layers.linear_chain.segment_scores`; the terms are absent when not asked for.
    """

    labels: list[str]
    opening: list[list[float]] | None = None
    closing: list[list[float]] | None = None

    def confidence(self, span: Span) -> float:
        """The probability that exactly this span stands here by any of the paths, in 0..1 to four decimals."""
        assert self.opening is not None, "ask the labeller for confidence"
        assert self.closing is not None
        terms = zip(self.opening[span.start], self.closing[span.end - 1], strict=True)
        return round(min(1.0, sum(exp(first + last) for first, last in terms)), 4)


def read_labels(
    emissions: Tensor,
    sentences: Sequence[Sequence[str]],
    lengths: Tensor,
    chain: Chain,
    labels: list[str],
    *,
    confidence: bool,
    any_kind: bool,
) -> list[Labelling]:
    """Choose the best labels of each sentence.

    Args:
        emissions: (batch, time, labels), scores of ``labels``.
        sentences: the characters, or words, behind each row.
        lengths: (batch,) int64, how many they are.
        chain: the scores of moves between ``labels``.
        labels: BIOES labels.
        confidence: whether the scores of spans are wanted.
        any_kind: whether they are those of a span of whatever kind, not of its own alone.
    """
    emissions = keep_whole(emissions, sentences, labels)
    path = linear_chain.viterbi(emissions, lengths, chain)
    rows = zip(path.tolist(), sentences, strict=True)
    chosen = [[labels[number] for number in row[: len(sentence)]] for row, sentence in rows]
    if not confidence:
        return [Labelling(row) for row in chosen]
    paths = across_kinds(labels)[path] if any_kind else path.unsqueeze(2)
    opening, closing = (term.tolist() for term in linear_chain.segment_scores(emissions, paths, lengths, chain))
    return [
        Labelling(row, first[: len(row)], last[: len(row)])
        for row, first, last in zip(chosen, opening, closing, strict=True)
    ]
