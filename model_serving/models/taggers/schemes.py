"""Tagging schemes: labelled spans of a sentence as one label a character, and back.

BIOES: ``B-X I-X E-X`` for the first, inner and last character of a span of kind X, ``S-X`` for a span of one
character, ``O`` outside all spans (Ratinov and Roth, 2009, "Design challenges and misconceptions in named entity
recognition", section 4.2, who call it BILOU).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch

from model_serving.models.layers.linear_chain import Chain

OUTSIDE = "O"


class Span(NamedTuple):
    """Characters ``start`` up to ``end`` (excluded) are one ``label``."""

    start: int
    end: int
    label: str


def encode(spans: Iterable[Span], length: int) -> list[str]:
    """Write disjoint spans over ``length`` characters as BIOES labels."""
    labels = [OUTSIDE] * length
    for start, end, kind in spans:
        if end - start == 1:
            labels[start] = f"S-{kind}"
            continue
        labels[start] = f"B-{kind}"
        labels[start + 1 : end - 1] = [f"I-{kind}"] * (end - start - 2)
        labels[end - 1] = f"E-{kind}"
    return labels


def decode(labels: Sequence[str]) -> list[Span]:
    """Read the complete spans off BIOES labels; what a broken sequence leaves open is no span."""
    spans = []
    start = None
    for position, label in enumerate(labels):
        place = label[0]
        if place in "BS":
            start = position
        elif start is not None and (place == OUTSIDE or labels[start][2:] != label[2:]):
            start = None
        if place in "SE" and start is not None:
            spans.append(Span(start, position + 1, label[2:]))
            start = None
    return spans


def mend(labels: Sequence[str]) -> list[str]:
    """Whole BIOES labels near to any: what hangs together in one kind of span becomes one.

    A span ends where its label says so, where another begins, and where the kind changes.
    """
    spans: list[Span] = []
    before = OUTSIDE
    for position, label in enumerate(labels):
        if label != OUTSIDE:
            goes_on = before[0] in "BI" and label[0] in "IE" and before[2:] == label[2:]
            start = spans.pop().start if goes_on else position
            spans.append(Span(start, position + 1, label[2:]))
        before = label
    return encode(spans, len(labels))


def across_kinds(labels: Sequence[str]) -> torch.Tensor:
    """For each label those of the same place in every kind of span, as numbers: (labels, kinds), -1 for none."""
    numbers = {label: number for number, label in enumerate(labels)}
    kinds = sorted({label[2:] for label in labels if label != OUTSIDE})
    return torch.tensor([[numbers.get(f"{label[0]}-{kind}", -1) for kind in kinds] for label in labels])


def allowed(labels: Sequence[str]) -> Chain:
    """Which moves BIOES permits between ``labels``, as 0/1 in the shape of a chain's scores."""

    def follows(before: str, after: str) -> bool:
        is_open = before[0] in "BI"
        continues = after[0] in "IE"
        return before[2:] == after[2:] if is_open and continues else is_open == continues

    return Chain(
        transitions=torch.tensor([[follows(before, after) for after in labels] for before in labels]),
        start=torch.tensor([label[0] not in "IE" for label in labels]),
        end=torch.tensor([label[0] not in "BI" for label in labels]),
    )
