"""The words that vectors stand for: how they are spelt, and in which row each one's vector is."""

import unicodedata
from collections.abc import Iterable


def fold(word: str) -> str:
    """Compatibility forms, full width above all, composed and in lower case: the spelling in training text."""
    return unicodedata.normalize("NFKC", word).lower()


def is_word(token: str) -> bool:
    """Whether a token of a text is a word, and no punctuation: it holds a letter or a digit."""
    return any(map(str.isalnum, token))


class Words:
    """Numbers words from 0 in their order, most frequent first.

    Args:
        symbols: the words, each once.
    """

    def __init__(self, symbols: Iterable[str]):
        self.symbols = list(symbols)
        self._rows = {word: row for row, word in enumerate(self.symbols)}

    def __len__(self) -> int:
        return len(self.symbols)

    def row(self, word: str) -> int | None:
        """The row of a word as it is spelt, else of its folded spelling, else None."""
        exact = self._rows.get(word)
        return self._rows.get(fold(word)) if exact is None else exact
