"""Exact-span scores of taggers, in points of 100."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from model_serving.models.taggers.labelling import Reading
from model_serving.models.taggers.schemes import Span, decode
from model_serving.models.taggers.tagger import Labeller
from model_serving.training.datasets.corpus import TaggedSentence


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


def unknown_recall(
    gold: Iterable[tuple[Sequence[str], list[Span]]], found: Iterable[list[Span]], known: set[str]
) -> float:
    """The share found of those gold spans whose units, written together, are not among ``known``."""
    right = wanted = 0
    for (units, expected), answered in zip(gold, found, strict=True):
        new = {span for span in expected if "".join(units[span.start : span.end]) not in known}
        right += len(new & set(answered))
        wanted += len(new)
    return 100 * right / wanted if wanted else 0.0


def spans_of(labeller: Labeller, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
    """The spans that a labeller finds in sentences, in their order."""
    order = sorted(range(len(sentences)), key=lambda place: len(sentences[place]))
    labellings = chain.from_iterable(
        labeller.label([sentences[place] for place in order[first : first + 64]], Reading())
        for first in range(0, len(order), 64)
    )
    found = {place: decode(labelling.labels) for place, labelling in zip(order, labellings, strict=True)}
    return [found[place] for place in range(len(sentences))]


def evaluate(labeller: Labeller, sentences: list[TaggedSentence]) -> float:
    """Span F1 of what a labeller finds in ``sentences``."""
    return span_scores((s.spans for s in sentences), spans_of(labeller, [s.units for s in sentences])).f1
