"""Exact-span scores of taggers, in points of 100."""

from collections.abc import Iterable
from dataclasses import dataclass

from model_serving.models.taggers.schemes import Span


@dataclass(frozen=True)
class SpanScores:
    """Precision, recall and their harmonic mean over spans."""

    precision: float
    recall: float
    f1: float


def span_scores(gold: Iterable[Iterable[Span]], found: Iterable[Iterable[Span]]) -> SpanScores:
    """Compare spans sentence by sentence; one is right when start, end and label are (Tjong Kim Sang and De Meulder,
    2003, CoNLL shared task, section 3)."""
    right = wanted = given = 0
    for expected, answered in zip(gold, found, strict=True):
        expected, answered = set(expected), set(answered)
        right += len(expected & answered)
        wanted += len(expected)
        given += len(answered)
    precision = 100 * right / given if given else 0.0
    recall = 100 * right / wanted if wanted else 0.0
    return SpanScores(precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0)


def unlabelled(spans: Iterable[Span]) -> list[Span]:
    """The spans as words alone: tagged words compared for segmentation."""
    return [Span(start, end, "") for start, end, _ in spans]


def unknown_recall(gold: Iterable[tuple[str, list[Span]]], found: Iterable[list[Span]], known: set[str]) -> float:
    """The share found of those gold spans whose characters are not among ``known``."""
    right = wanted = 0
    for (characters, expected), answered in zip(gold, found, strict=True):
        new = {span for span in expected if characters[span.start : span.end] not in known}
        right += len(new & set(answered))
        wanted += len(new)
    return 100 * right / wanted if wanted else 0.0
