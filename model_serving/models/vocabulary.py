"""The symbols a network knows, numbered."""

from collections import Counter
from collections.abc import Iterable

PADDING = 0
UNKNOWN = 1
RESERVED = 2
"""How many numbers stand before those of the symbols."""


class Vocabulary:
    """Numbers symbols from 2; 0 is padding, 1 every symbol not listed.

    Args:
        symbols: the symbols in the order of their numbers, without the two reserved ones.
    """

    def __init__(self, symbols: Iterable[str]):
        self.symbols = list(symbols)
        self._numbers = {symbol: number for number, symbol in enumerate(self.symbols, RESERVED)}

    def __len__(self) -> int:
        """How many numbers there are, the reserved ones included."""
        return len(self.symbols) + RESERVED

    def numbers(self, symbols: Iterable[str]) -> list[int]:
        """The number of each symbol in turn, or ``UNKNOWN``."""
        get = self._numbers.get
        return [get(symbol, UNKNOWN) for symbol in symbols]

    @classmethod
    def counted(cls, symbols: Iterable[str], least: int = 1, most: int | None = None) -> "Vocabulary":
        """The symbols seen at least ``least`` times, most frequent first, at most ``most`` of them."""
        counts = {symbol: times for symbol, times in Counter(symbols).items() if times >= least}
        return cls(sorted(counts, key=lambda symbol: (-counts[symbol], symbol))[:most])
