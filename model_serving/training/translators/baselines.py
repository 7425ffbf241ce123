"""The simplest answers to a sentence: what a translator must beat."""

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from model_serving.models.translators.subwords import Subwords

ROWS = 256
"""Sentences compared with the whole training part at once."""


class NearestNeighbour:
    """Gives the translation of the training sentence with the most similar sub-words, weighted by TF-IDF.

    Args:
        sources, targets: the training part.
        subwords: of the source language.
    """

    name = "nearest training sentence (TF-IDF)"

    def __init__(self, sources: list[str], targets: list[str], subwords: Subwords):
        self._targets = targets
        self._vectorizer = TfidfVectorizer(analyzer=_analyzer(subwords), sublinear_tf=True)
        self._known = self._vectorizer.fit_transform(sources).T.tocsr()

    def translate(self, sentences: list[str]) -> list[str]:
        """The translation of each sentence's nearest neighbour."""
        found = []
        for first in range(0, len(sentences), ROWS):
            likeness = self._vectorizer.transform(sentences[first : first + ROWS]) @ self._known
            found += [self._targets[place] for place in np.asarray(likeness.argmax(axis=1)).flatten()]
        return found


class Lexicon:
    """Writes for each sub-word the one of the other language it goes with best, by Dice's coefficient.

    Args:
        sources, targets: the training part.
        source, target: the sub-words of the two languages.
    """

    name = "word-by-word lexicon"

    def __init__(self, sources: list[str], targets: list[str], source: Subwords, target: Subwords):
        self._source, self._target = source, target
        read, written = (_occurrences(side, words) for side, words in ((sources, source), (targets, target)))
        together = (read.T @ written).tocoo()
        dice = 2 * together.data / (read.sum(axis=0)[together.row] + written.sum(axis=0)[together.col])
        order = np.argsort(dice, kind="stable")
        self._best = dict(zip(together.row[order].tolist(), together.col[order].tolist(), strict=True))

    def translate(self, sentences: list[str]) -> list[str]:
        """Each sentence word by word, in its own order."""
        return [
            self._target.decode(
                [self._best[number] for number in self._source.encode(sentence)[0] if number in self._best]
            )
            for sentence in sentences
        ]


def _analyzer(subwords: Subwords) -> Callable[[str], list[str]]:
    return lambda sentence: [str(number) for number in subwords.encode(sentence)[0]]


def _occurrences(sentences: list[str], subwords: Subwords) -> csr_array:
    """Which sub-word (column) stands in which sentence (row)."""
    numbers = {str(number): number for number in range(len(subwords))}
    counted = CountVectorizer(analyzer=_analyzer(subwords), vocabulary=numbers, binary=True, dtype=np.int64)
    return csr_array(counted.transform(sentences))
