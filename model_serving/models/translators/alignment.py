"""Attention between words: sub-words merged where that reads better."""

from itertools import pairwise
from typing import Any, NamedTuple

import torch
from torch import Tensor

from model_serving.models.translators import placeholders
from model_serving.models.translators.subwords import SPACE


class Alignment(NamedTuple):
    """How the words of a translation (``target``) attend to those of the source: ``weights`` (target, source)."""

    source: list[str]
    target: list[str]
    weights: Tensor

    @classmethod
    def of(cls, source: list[str], target: list[str], weights: Tensor, known: list[str]) -> "Alignment":
        """Merge the sub-words of a sentence: weights add up over a source word, and average over a target word.

        Args:
            source, target: sub-words as they are spelt.
            weights: (target, source), rows sum to 1.
            known: what the marks stand for.
        """
        columns, rows = _words(source), _words(target)
        merged = torch.stack([weights[:, start:end].sum(1) for start, end in columns], dim=1)
        merged = torch.stack([merged[start:end].mean(0) for start, end in rows]) if rows else merged[:0]
        return cls(_spelt(source, columns, known), _spelt(target, rows, known), merged)


def combine(alignments: list[Alignment]) -> dict[str, Any]:
    """The sentences of a text one after the other, none attending to another; weights to four decimals."""
    source = [word for alignment in alignments for word in alignment.source]
    weights: list[list[float]] = []
    before = 0
    for alignment in alignments:
        after = len(source) - before - len(alignment.source)
        rows = [[round(weight, 4) for weight in row] for row in alignment.weights.tolist()]
        weights += [[0.0] * before + row + [0.0] * after for row in rows]
        before += len(alignment.source)
    return {
        "source": source,
        "target": [word for alignment in alignments for word in alignment.target],
        "weights": weights,
    }


def _words(pieces: list[str]) -> list[tuple[int, int]]:
    """Where words start and end: runs of Latin letters and digits, and each other sub-word alone."""
    starts = [
        place
        for place, piece in enumerate(pieces)
        if not place or not (pieces[place - 1] == SPACE or (_plain(piece) and _plain(pieces[place - 1].lstrip(SPACE))))
    ]
    return list(pairwise([*starts, len(pieces)]))


def _spelt(pieces: list[str], words: list[tuple[int, int]], known: list[str]) -> list[str]:
    return [placeholders.unmask("".join(pieces[start:end]).replace(SPACE, ""), known) for start, end in words]


def _plain(piece: str) -> bool:
    return piece.isascii() and piece.isalnum()
