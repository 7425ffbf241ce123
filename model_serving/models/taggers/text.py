"""Chinese text to the sentences a tagger reads, every character keeping its place in the text as sent."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LONGEST_SENTENCE = 256
"""Characters, or words, that a network reads at once; longer sentences are cut at the last comma, or anywhere."""

_SENTENCE = re.compile(
    r"""
    [^。!?\n]*               # a sentence runs on ...
    (?: [。!?]+ [”’』」)》]*   # ... to its end marks and what they close,
      | \n                   # or to the end of the line,
      | \Z )                 # or of the text
    """,
    re.VERBOSE,
)
_PAUSES = ",;、: "
_STRETCH = re.compile(r"\S+")


class _Folding(dict[int, str]):
    """For ``str.translate``: a character's half-width, compatibility form where that is one character too."""

    def __missing__(self, code: int) -> str:
        normal = unicodedata.normalize("NFKC", chr(code))
        folded = normal if len(normal) == 1 else chr(code)
        if code <= 0xFFFF:  # remembering every plane would hold 160 MB
            self[code] = folded
        return folded


_FOLDING = _Folding()


def fold(text: str) -> str:
    """Give full-width and half-width variants of a character one form; the length stays."""
    return text.translate(_FOLDING)


@dataclass(frozen=True)
class Sentence:
    """One sentence as a tagger reads it: ``units`` are its characters, or its words, folded and free of white space.

    ``places`` holds the place where each unit begins in the text as sent, in code points; folding keeps its length.
    """

    units: Sequence[str]
    places: list[int]


def sentences(text: str) -> Iterator[Sentence]:
    """Split a text at sentence ends and line breaks; stretches of nothing but white space vanish."""
    folded = fold(text)
    for start, end in _bounds(folded):
        stretches = list(_STRETCH.finditer(folded, start, end))
        if stretches:
            places = [place for stretch in stretches for place in range(*stretch.span())]
            yield Sentence("".join([stretch.group() for stretch in stretches]), places)


def _bounds(folded: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a folded text start and end, none longer than ``LONGEST_SENTENCE``."""
    for match in _SENTENCE.finditer(folded):
        start, end = match.span()
        while end - start > LONGEST_SENTENCE:
            limit = start + LONGEST_SENTENCE
            pause = max(folded.rfind(mark, start, limit) for mark in _PAUSES)
            cut = limit if pause < start else pause + 1
            yield start, cut
            start = cut
        if start < end:
            yield start, end
