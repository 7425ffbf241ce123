"""From emissions to labels: the way that all labellers go in the end."""

from collections.abc import Sequence
from math import exp
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from model_serving.models.layers import linear_chain
from model_serving.models.layers.linear_chain import Chain
from model_serving.models.taggers import schemes
from model_serving.models.taggers.latin import keep_whole
from model_serving.models.taggers.schemes import Span, across_kinds

VITERBI = "viterbi"
POSTERIOR = "posterior"


class Reading(NamedTuple):
    """What is wanted of a labeller.

    ``confidence``: whether the scores of spans are. ``any_kind``: whether they are those of a span of whatever kind,
    not of its own alone. ``decoding``: ``viterbi`` takes the likeliest path; ``posterior`` the likeliest label of each
    place (Rabiner, 1989, section III.B, equation 29), which together may be no path, and are then mended.
    """

    confidence: bool = False
    any_kind: bool = False
    decoding: str = VITERBI


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
    how: Reading,
    temperature: float = 1.0,
) -> list[Labelling]:
    """Choose the best labels of each sentence.

    Args:
        emissions: (batch, time, labels), scores of ``labels``.
        sentences: the characters, or words, behind each row.
        lengths: (batch,) int64, how many they are.
        chain: the scores of moves between ``labels``.
        labels: BIOES labels.
        how: what is wanted.
        temperature: divides all scores before they become probabilities, which changes no order among paths.
    """
    emissions = keep_whole(emissions, sentences, labels)
    if how.decoding == POSTERIOR:
        path = linear_chain.marginals(emissions, lengths, chain).argmax(2)
    else:
        path = linear_chain.viterbi(emissions, lengths, chain)
    rows = zip(path.tolist(), sentences, strict=True)
    chosen = [[labels[number] for number in row[: len(sentence)]] for row, sentence in rows]
    if how.decoding == POSTERIOR:
        chosen = [schemes.mend(row) for row in chosen]
        path = _numbered(chosen, labels)
    if not how.confidence:
        return [Labelling(row) for row in chosen]
    paths = across_kinds(labels)[path] if how.any_kind else path.unsqueeze(2)
    if how.any_kind and how.decoding == POSTERIOR:
        paths = paths.masked_fill((path < 0).unsqueeze(2), -1)
    cooled = Chain(*(scores / temperature for scores in chain))
    terms = linear_chain.segment_scores(emissions / temperature, paths, lengths, cooled)
    opening, closing = (term.tolist() for term in terms)
    return [
        Labelling(row, first[: len(row)], last[: len(row)])
        for row, first, last in zip(chosen, opening, closing, strict=True)
    ]


def _numbered(rows: list[list[str]], labels: list[str]) -> Tensor:
    """Labels in numbers: (batch, time) int64, -1 for one that is not among ``labels``, and for padding."""
    numbers = {label: number for number, label in enumerate(labels)}
    numbered = [torch.tensor([numbers.get(label, -1) for label in row]) for row in rows]
    return pad_sequence(numbered, batch_first=True, padding_value=-1)


def temperature_of(card: dict[str, Any]) -> float:
    """What calibration has written into a card, else 1."""
    return float(card.get("calibration", {}).get("temperature", 1.0))
