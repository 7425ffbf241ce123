"""Train the HMM tagger: count, once through the corpus.

Characters seen once are counted as the unknown character, so each state learns how much of it is unknown. The factors
of the smoothing were chosen on the development parts, the same for both corpora.
"""

from collections import Counter
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model_serving.models.taggers.hmm import BackOff, Counts, HMMLabeller, states_of
from model_serving.models.vocabulary import PADDING, Vocabulary
from model_serving.training.datasets.corpus import Corpus, labels_of

PAPER = (
    "Rabiner, 1989, A tutorial on hidden Markov models and selected applications in speech recognition, "
    "Proceedings of the IEEE 77(2)"
)
BACK_OFF = BackOff(moves=0.1, characters=0.3, pairs=3.0)
RAREST_CHARACTER = 2


def train(corpus: Corpus, checkpoint: Path, *, seed: int) -> tuple[HMMLabeller, dict[str, Any]]:
    """Count ``corpus.train``; that takes seconds and no chance, so ``checkpoint`` and ``seed`` are left alone.

    Returns the labeller and a record of the training for its card.
    """
    texts = ["".join(sentence.units) for sentence in corpus.train]
    characters = Vocabulary.counted(chain.from_iterable(texts), RAREST_CHARACTER)
    paths = [states_of(labels_of(sentence)) for sentence in corpus.train]
    states = Vocabulary.counted(chain.from_iterable(paths)).symbols
    labeller = HMMLabeller(count(texts, paths, characters, states), characters, states, BACK_OFF)
    return labeller, {"sentences": len(texts), "characters": sum(map(len, texts))}


def count(texts: list[str], paths: list[list[str]], characters: Vocabulary, states: list[str]) -> Counts:
    """Count the moves along the ``paths`` of states and the characters of ``texts`` written on the way."""
    numbers = {state: number for number, state in enumerate(states)}
    boundary = len(states)
    moves: Counter[tuple[int, int]] = Counter()
    written: Counter[tuple[int, int, int]] = Counter()
    for text, path in zip(texts, paths, strict=True):
        along = [numbers[state] for state in path]
        read = characters.numbers(text)
        moves.update(pairwise([boundary, *along, boundary]))
        written.update(zip([PADDING, *read], read, along, strict=False))
    table = torch.zeros(boundary + 1, boundary + 1, dtype=torch.int64)
    table[tuple(torch.tensor(list(moves)).T)] = torch.tensor(list(moves.values()))
    rows = sorted(written)
    return Counts(_narrow(table), _narrow(torch.tensor(rows)), _narrow(torch.tensor([written[row] for row in rows])))


def _narrow(counts: Tensor) -> Tensor:
    """The same numbers in the narrowest integers that hold them."""
    kinds = (torch.uint8, torch.int16, torch.int32)
    return counts.to(next(kind for kind in kinds if counts.max() <= torch.iinfo(kind).max))
