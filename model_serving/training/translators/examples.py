"""Sentence pairs as a network learns them: masked, in sub-words, in batches of like length."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from model_serving.models.translators import placeholders
from model_serving.models.translators.subwords import END, PADDING, START, Subwords
from model_serving.training.translators.corpus import SentencePair

LONGEST = 100
"""Sub-words on either side; what is longer is not learnt from."""


class Example(NamedTuple):
    """The sub-words of a pair by number, the target between its start and end."""

    source: list[int]
    target: list[int]


class Batch(NamedTuple):
    """Padded with 0 to the right: ``source`` (batch, read) and ``target`` (batch, written + 1) int64."""

    source: Tensor
    target: Tensor


def sides(pairs: list[SentencePair], variant: str) -> tuple[list[str], list[str]]:
    """The source and the target sentences for a variant, ``en-zh`` or ``zh-en``."""
    english, chinese = [pair.english for pair in pairs], [pair.chinese for pair in pairs]
    return (english, chinese) if variant == "en-zh" else (chinese, english)


def masked(pairs: list[SentencePair], variant: str) -> list[tuple[str, str]]:
    """The same in pairs; what stands in both alike is masked, numbered by its order in the source."""
    found = []
    for read, written in zip(*sides(pairs, variant), strict=True):
        text, known = placeholders.mask(read, written)
        found.append((text, placeholders.mask_as(written, known)))
    return found


def encode(pairs: list[tuple[str, str]], source: Subwords, target: Subwords) -> list[Example]:
    """The examples of masked pairs, those too long left out."""
    examples = [Example(source.encode(read)[0], [START, *target.encode(written)[0], END]) for read, written in pairs]
    return [example for example in examples if max(map(len, example)) <= LONGEST]


def batches(examples: list[Example], subwords: int, shuffle: random.Random) -> Iterator[Batch]:
    """All examples in random order, those of like length together.

    Args:
        examples: of every length.
        subwords: most of a batch's target, padding included.
        shuffle: tells what comes when.
    """
    order = sorted(examples, key=lambda example: (len(example.target) + shuffle.random(), len(example.source)))
    cut: list[list[Example]] = [[]]
    for example in order:
        if cut[-1] and len(example.target) * (len(cut[-1]) + 1) > subwords:
            cut.append([])
        cut[-1].append(example)
    shuffle.shuffle(cut)
    yield from map(collate, cut)


def collate(examples: list[Example]) -> Batch:
    """Pad examples to one length."""
    source, target = (
        pad_sequence([torch.tensor(each) for each in side], batch_first=True, padding_value=PADDING)
        for side in zip(*examples, strict=True)
    )
    return Batch(source, target)
