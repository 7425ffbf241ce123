"""Runs of characters, numbered a whole text at a time."""

from collections.abc import Iterable

import torch
from torch import Tensor

from model_serving.models.vocabulary import RESERVED, UNKNOWN

_BITS = 21
"""Of a code point; a key holds three of them."""


def code_points(text: str) -> Tensor:
    """The code points of a text -> (characters,) int64."""
    encoded = bytearray(text.encode("utf-32-le", "surrogatepass"))
    return torch.frombuffer(encoded, dtype=torch.int32).long() if encoded else torch.empty(0, dtype=torch.int64)


class NGrams:
    """Numbers n-grams as a vocabulary numbers symbols, without an object for each.

    They lie in one sorted tensor: a search takes all of a text at once, and processes that share it after a fork
    go on sharing it, where every look into a dictionary would write to the page of what it finds.

    Args:
        symbols: the n-grams in the order of their numbers.
        size: how many characters each has, 1 to 3.
    """

    def __init__(self, symbols: Iterable[str], size: int):
        points = code_points("".join(symbols)).view(-1, size)
        self._size = size
        self._keys, order = _keys(points).sort()
        self._numbers = order + RESERVED

    def __len__(self) -> int:
        """How many numbers there are, the reserved ones included."""
        return len(self._keys) + RESERVED

    @property
    def symbols(self) -> list[str]:
        """The n-grams in the order of their numbers."""
        keys = self._keys[self._numbers.argsort()].tolist()
        shifts = [_BITS * place for place in reversed(range(self._size))]
        return ["".join(chr(key >> shift & (1 << _BITS) - 1) for shift in shifts) for key in keys]

    def numbers(self, points: Tensor) -> Tensor:
        """The number of the n-gram that begins at each code point: (n,) int64 -> (n - size + 1,) int64."""
        keys = _keys(points.unfold(0, self._size, 1))
        if not len(self._keys):
            return torch.full_like(keys, UNKNOWN)
        found = torch.searchsorted(self._keys, keys).clamp(max=len(self._keys) - 1)
        return torch.where(self._keys[found] == keys, self._numbers[found], UNKNOWN)


def _keys(points: Tensor) -> Tensor:
    """One number for each row of code points: (n, size) -> (n,)."""
    keys = points[:, 0]
    for place in range(1, points.size(1)):
        keys = keys << _BITS | points[:, place]
    return keys
