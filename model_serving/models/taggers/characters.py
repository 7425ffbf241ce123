"""Chinese sentences in numbers: their characters, and the bigrams around each."""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from model_serving.models.ngrams import NGrams, code_points
from model_serving.models.vocabulary import PADDING

BOUNDARY = "\n"
"""Stands before the first and after the last character in the bigrams of a sentence, which never holds one."""


def encode(sentences: Sequence[Sequence[str]], characters: NGrams, bigrams: NGrams) -> tuple[Tensor, Tensor, Tensor]:
    """Number the characters and bigrams of non-empty sentences.

    Returns:
        Characters (batch, time) int64; bigrams (batch, time + 1) int64, of which columns t and t + 1 end and start at
        character t; lengths (batch,) int64.
    """
    framed = code_points(BOUNDARY + "".join("".join(sentence) + BOUNDARY for sentence in sentences))
    lengths = [len(sentence) for sentence in sentences]
    strides = [length + 1 for length in lengths]
    singles = [read[:-1] for read in torch.split(characters.numbers(framed[1:]), strides)]
    pairs = list(torch.split(bigrams.numbers(framed), strides))
    return (
        pad_sequence(singles, batch_first=True, padding_value=PADDING),
        pad_sequence(pairs, batch_first=True, padding_value=PADDING),
        torch.tensor(lengths),
    )


def bigrams_of(sentence: Sequence[str]) -> list[str]:
    """The pairs of neighbours in a sentence, its boundaries included: one more than it has characters."""
    framed = BOUNDARY + "".join(sentence) + BOUNDARY
    return [framed[place : place + 2] for place in range(len(sentence) + 1)]
