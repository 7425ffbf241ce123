"""Words as the mean of their parts: a row of their own, where they are in the vocabulary, and n-grams in buckets."""

import hashlib
from collections.abc import Callable, Mapping
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import embedding_bag

from model_serving.models.packing import unpack
from model_serving.models.space import Space
from model_serving.models.word_vectors.words import Words, fold

Parts = Callable[[str], list[str]]
"""The n-grams of a folded word."""


class Bags(NamedTuple):
    """The rows of some words: ``rows`` (all rows) int64, and in ``offsets`` (words,) where each word's begin."""

    rows: Tensor
    offsets: Tensor


def ngrams(symbols: str, least: int, most: int) -> list[str]:
    """All stretches of ``least`` to ``most`` symbols, shorter ones first."""
    return [
        symbols[start : start + length]
        for length in range(least, most + 1)
        for start in range(len(symbols) - length + 1)
    ]


def bucket(part: str, buckets: int) -> int:
    """The number of a part's bucket, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(part.encode(), digest_size=8).digest()) % buckets


def bags(words: list[str], parts: Parts, buckets: int) -> Bags:
    """The rows of each word of a vocabulary: its own, then those of its n-grams' buckets, which stand behind."""
    rows = [[own, *(len(words) + bucket(part, buckets) for part in parts(word))] for own, word in enumerate(words)]
    lengths = torch.tensor([0, *map(len, rows)])
    return Bags(torch.tensor([row for bag in rows for row in bag]), lengths.cumsum(0)[:-1])


def means(table: Tensor, chosen: Bags) -> Tensor:
    """The mean of the rows of each bag: (words, size)."""
    return embedding_bag(chosen.rows, table, chosen.offsets, mode="mean")


def composed_space(words: Words, weights: Mapping[str, Tensor], parts: Parts) -> Space:
    """A space that also gives a vector to a word outside the vocabulary that has n-grams.

    Args:
        words: the vocabulary.
        weights: ``vectors`` (words + buckets, size), packed or not.
        parts: cuts a word into n-grams.
    """
    table = unpack(weights)
    buckets = len(table) - len(words)

    def compose(word: str) -> Tensor | None:
        found = [len(words) + bucket(part, buckets) for part in parts(fold(word))]
        return table[found].mean(0) if found else None

    return Space(words, means(table, bags(words.symbols, parts, buckets)), compose)
