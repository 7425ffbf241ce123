"""A text in numbers: its vocabulary with counts, and every token with the sentence it stands in."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import torch
from torch import Tensor

from model_serving.models.word_vectors.words import Words


@dataclass(frozen=True)
class EncodedText:
    """Words outside the vocabulary are left out, as in word2vec, so the windows close over them.

    ``counts`` (words,) int64; ``tokens`` (tokens,) int64 are rows of ``words``; ``sentences`` (tokens,) int64 rise.
    """

    words: Words
    counts: Tensor
    tokens: Tensor
    sentences: Tensor


def encode(sentences: Iterable[Sequence[str]], *, most: int, least: int = 5) -> EncodedText:
    """Number a text by its ``most`` frequent words among those seen at least ``least`` times."""
    sentences = list(sentences)
    counts = Counter(chain.from_iterable(sentences))
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    words = Words([word for word in ranked if counts[word] >= least][:most])
    rows = {word: row for row, word in enumerate(words.symbols)}
    tokens = [[rows[word] for word in sentence if word in rows] for sentence in sentences]
    lengths = torch.tensor([len(sentence) for sentence in tokens])
    return EncodedText(
        words,
        torch.tensor([counts[word] for word in words.symbols]),
        torch.tensor(list(chain.from_iterable(tokens))),
        torch.repeat_interleave(torch.arange(len(tokens)), lengths),
    )
