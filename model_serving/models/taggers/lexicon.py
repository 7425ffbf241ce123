"""The words of a lexicon, wherever they stand in a sentence, overlapping or not."""

from collections.abc import Iterable, Sequence

import torch

from model_serving.models.layers.lattice import Matches
from model_serving.models.vocabulary import RESERVED


class Lexicon:
    """Finds words of two characters and more.

    Args:
        words: in the order of their numbers, which begin at 2 as in a vocabulary.
    """

    def __init__(self, words: Iterable[str]):
        self.words = list(words)
        self._numbers = {word: number for number, word in enumerate(self.words, RESERVED)}
        self._longest = max(map(len, self.words), default=0)

    def __len__(self) -> int:
        """How many numbers there are, the reserved ones included."""
        return len(self.words) + RESERVED

    def matches(self, sentences: Sequence[Sequence[str]]) -> Matches:
        """Every occurrence of every word in a batch of sentences."""
        found = sorted(
            (end - 1, row, start, number)
            for row, sentence in enumerate(sentences)
            for start, end, number in self._in("".join(sentence))
        )
        ends, rows, starts, words = torch.tensor(found).view(-1, 4).long().T.contiguous()
        return Matches(rows, starts, ends, words)

    def _in(self, sentence: str) -> Iterable[tuple[int, int, int]]:
        get = self._numbers.get
        for start in range(len(sentence) - 1):
            for end in range(start + 2, min(start + self._longest, len(sentence)) + 1):
                number = get(sentence[start:end])
                if number is not None:
                    yield start, end, number
