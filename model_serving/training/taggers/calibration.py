"""How far confidences are from the truth, and the temperature that brings them nearer.

Guo, Pleiss, Sun and Weinberger, 2017, "On calibration of modern neural networks", arXiv:1706.04599, section 2 and
section 4.2: one number divides all scores, which changes no answer; here those of whole spans.
"""

from collections.abc import Iterable
from typing import Any

import torch

from model_serving.models.taggers.labelling import Reading
from model_serving.models.taggers.schemes import Span, decode
from model_serving.models.taggers.tagger import Labeller
from model_serving.training.datasets.corpus import Corpus, TaggedSentence

BINS = 10
STEP = 0.1
LEAST, MOST = 0.5, 5.0
"""The temperatures that are tried."""
FITTED = 1500
"""Sentences of the development part that decide."""


def calibration_error(judged: Iterable[tuple[float, bool]]) -> float:
    """Expected calibration error, in 0..1: the gap between confidence and share of right answers, bin by bin.

    Args:
        judged: the confidence of each span found, and whether it is right.
    """
    pairs = torch.tensor([(confidence, float(right)) for confidence, right in judged], dtype=torch.float64).view(-1, 2)
    bins = (pairs[:, 0] * BINS).long().clamp(max=BINS - 1)
    gaps = torch.zeros(BINS, dtype=torch.float64).index_add_(0, bins, pairs[:, 0] - pairs[:, 1])
    return float(gaps.abs().sum() / max(1, len(pairs)))


def judge(labeller: Labeller, sentences: list[TaggedSentence], *, any_kind: bool) -> list[tuple[float, bool]]:
    """The confidence of every span that a labeller finds, and whether it stands in the sentence."""
    order = sorted(sentences, key=lambda sentence: len(sentence.units))
    how = Reading(confidence=True, any_kind=any_kind)
    judged = []
    for first in range(0, len(order), 64):
        batch = order[first : first + 64]
        for sentence, labelling in zip(batch, labeller.label([s.units for s in batch], how), strict=True):
            gold = _places(sentence.spans) if any_kind else set(sentence.spans)
            for span in decode(labelling.labels):
                wanted = Span(span.start, span.end, "") if any_kind else span
                judged.append((labelling.confidence(span), wanted in gold))
    return judged


def fit(labeller: Labeller, sentences: list[TaggedSentence]) -> float:
    """The temperature of least calibration error on some sentences, which the labeller is left with.

    From 1 the search goes up or down for as long as the error falls.
    """

    def error(temperature: float) -> float:
        labeller.temperature = temperature
        return calibration_error(judge(labeller, sentences, any_kind=False))

    best, least = 1.0, error(1.0)
    for step in (STEP, -STEP):
        start = best
        while LEAST <= best + step <= MOST and (found := error(round(best + step, 2))) < least:
            best, least = round(best + step, 2), found
        if best != start:
            break
    labeller.temperature = best
    return best


def calibrate(labeller: Labeller, corpus: Corpus, *, words_alone: bool) -> dict[str, Any]:
    """Fit on the development part, measure on the test part: what a card says of it.

    Args:
        labeller: is left with its temperature.
        corpus: in the parts of its training.
        words_alone: whether spans of whatever kind are measured too, as ``seg`` gives them.
    """
    temperature = fit(labeller, corpus.dev[:FITTED])
    record: dict[str, Any] = {"temperature": temperature, "expected_calibration_error": {}}
    for name, any_kind in (("own kind", False), ("any kind", True))[: 1 + words_alone]:
        error = calibration_error(judge(labeller, corpus.test, any_kind=any_kind))
        record["expected_calibration_error"][name] = round(error, 4)
    return record


def _places(spans: Iterable[Span]) -> set[Span]:
    return {Span(start, end, "") for start, end, _ in spans}
