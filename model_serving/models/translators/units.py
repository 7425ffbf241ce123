"""What is translated at once: a sentence in sub-words, or a part of one too long for the network."""

from collections.abc import Iterator
from typing import NamedTuple

from model_serving.models.translators import placeholders
from model_serving.models.translators.subwords import SPACE, UNKNOWN, Subwords
from model_serving.models.translators.text import sentences

LONGEST = 128
"""Sub-words that a network reads at once; longer sentences are cut at the last mark, or anywhere."""
_PAUSES = tuple(",;:.!?，；：、。！？")


class Unit(NamedTuple):
    """Sub-words by number and as they stand in the masked sentence, and what its marks stand for."""

    numbers: list[int]
    pieces: list[str]
    known: list[str]
    ends_line: bool

    @property
    def text(self) -> str:
        """The unit as it was written."""
        return placeholders.unmask("".join(self.pieces).replace(SPACE, " ").strip(), self.known)

    @property
    def readable(self) -> bool:
        """Whether it holds a letter that the network knows; nothing else can be translated."""
        pairs = zip(self.numbers, self.pieces, strict=True)
        return any(number != UNKNOWN and any(map(str.isalpha, piece)) for number, piece in pairs)


def units(text: str, language: str, subwords: Subwords) -> Iterator[Unit]:
    """Cut a text into units; stretches of nothing but white space vanish."""
    for sentence in sentences(text, language):
        masked, known = placeholders.mask(sentence.text)
        numbers, pieces = subwords.encode(masked)
        start = 0
        for end in _ends(pieces):
            yield Unit(numbers[start:end], pieces[start:end], known, sentence.ends_line and end == len(pieces))
            start = end


def _ends(pieces: list[str]) -> Iterator[int]:
    """Where the units of a sentence end."""
    start = 0
    while len(pieces) - start > LONGEST:
        limit = start + LONGEST
        pauses = (place for place in range(limit, start, -1) if pieces[place - 1].endswith(_PAUSES))
        start = next(pauses, limit)
        yield start
    yield len(pieces)
