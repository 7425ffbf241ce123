"""English text to the sentences of words that a tagger reads, every word keeping its place in the text as sent."""

import re
from collections.abc import Iterator

from model_serving.models.taggers.text import LONGEST_SENTENCE, Sentence, fold

_TOKEN = re.compile(
    r"""
    (?: [A-Za-z]\. ){2,}                                        # U.S.
  | (?: [A-Z] | Mr | Mrs | Ms | Dr | Prof | St | Sen | Rep | Gov | Gen | Lt | Col | Capt | Sgt | Rev | Hon | Jr | Sr
      | Inc | Corp | Co | Ltd | Bros | vs | etc | No | Jan | Feb | Mar | Apr | Jun | Jul | Aug | Sept? | Oct | Nov
      | Dec )\. (?= \s+ [^\s] )                                 # what is cut short, before more text
  | \d+ (?: [.,:/-] \d+ )* (?: st | nd | rd | th )? \b          # 1,000 and 1996-08-22
  | [^\W_]+ (?: ['&-] [^\W_]+ )* '?                             # words, with what joins their parts
  | \.{2,} | -{2,} | `` | ''
  | \S
    """,
    re.VERBOSE,
)
_CLITIC = re.compile(r"(?i)^(.+?)('(?:s|re|ve|ll|d|m)|n't)$")
_ENDS = frozenset(".!?")
_CLOSINGS = frozenset("\"'”’)]")
_BREAK = re.compile(r"\n\s*\n")


def sentences(text: str, *, clitics: bool) -> Iterator[Sentence]:
    """Split a text at sentence ends and empty lines, and its sentences into words.

    Args:
        text: as sent.
        clitics: whether ``'s``, ``n't`` and their like are words of their own, as where names are looked for, or
            belong to the word before, as in the Brown corpus.
    """
    folded = fold(text).replace("’", "'")
    start = 0
    for stretch in [*_BREAK.finditer(folded), None]:
        yield from _cut(list(_words(folded, start, stretch.start() if stretch else len(folded), clitics)))
        start = stretch.end() if stretch else start


def _words(folded: str, start: int, end: int, clitics: bool) -> Iterator[tuple[str, int]]:
    """The words of a stretch of text and their places."""
    for match in _TOKEN.finditer(folded, start, end):
        word, place = match.group(), match.start()
        if word.endswith("'") and len(word) > 1 and not word.endswith("s'") and word != "''":
            yield word[:-1], place
            yield "'", place + len(word) - 1
            continue
        parted = _CLITIC.match(word) if clitics else None
        if parted:
            yield parted[1], place
            yield parted[2], place + len(parted[1])
        else:
            yield word, place


def _cut(words: list[tuple[str, int]]) -> Iterator[Sentence]:
    """Sentences that end with a mark and what it closes, none longer than ``LONGEST_SENTENCE`` words."""
    first = 0
    ended = False
    for number, (word, _) in enumerate(words):
        if (ended and word not in _CLOSINGS and word not in _ENDS) or number - first == LONGEST_SENTENCE:
            yield _sentence(words[first:number])
            first, ended = number, False
        ended = ended or word in _ENDS
    if first < len(words):
        yield _sentence(words[first:])


def _sentence(words: list[tuple[str, int]]) -> Sentence:
    return Sentence([word for word, _ in words], [place for _, place in words])
