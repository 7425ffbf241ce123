"""What a linear model sees at each place of a sentence: strings that say which template found what.

A template's name is one letter, so that a feature is short to store: ``g北京`` says that the character before and this
one are 北京. The window over characters, with its single characters and pairs, is that of Ng and Low, 2004, "Chinese
part-of-speech tagging: one-at-a-time or all-at-once? Word-based or character-based?", section 3.1; the affixes and
shapes of English words are those of Ratnaparkhi, 1996, "A maximum entropy model for part-of-speech tagging", table 1.
"""

import re
from collections.abc import Sequence

BOUNDARY = "\n"
"""Stands outside the sentence on either side; no sentence holds it."""

LONGEST_AFFIX = 4

_CHINESE_NUMBERS = frozenset("〇零一二三四五六七八九十百千万亿两")
_CALENDAR = frozenset("年月日时分")
_SHAPES = ((re.compile(r"[A-Z]"), "X"), (re.compile(r"[a-z]"), "x"), (re.compile(r"\d"), "0"))
_REPEATED = re.compile(r"(.)\1{2,}")


def of_characters(sentence: Sequence[str]) -> list[list[str]]:
    """The features of each character: it and two on either side, their pairs and triples, and their kinds."""
    framed = [BOUNDARY, BOUNDARY, *sentence, BOUNDARY, BOUNDARY]
    kinds = [_kind(character) for character in framed]
    found = []
    for place in range(len(sentence)):
        first, before, here, after, last = framed[place : place + 5]
        found.append(
            [
                f"a{first}",
                f"b{before}",
                f"c{here}",
                f"d{after}",
                f"e{last}",
                f"f{first}{before}",
                f"g{before}{here}",
                f"h{here}{after}",
                f"i{after}{last}",
                f"j{before}{after}",
                f"k{first}{before}{here}",
                f"l{before}{here}{after}",
                f"m{here}{after}{last}",
                f"n{''.join(kinds[place : place + 5])}",
            ]
        )
    return found


def of_words(sentence: Sequence[str]) -> list[list[str]]:
    """The features of each word: it and two on either side, its affixes, and the shapes around it."""
    framed = [BOUNDARY, BOUNDARY, *sentence, BOUNDARY, BOUNDARY]
    lower = [word.lower() for word in framed]
    shapes = [shape(word) for word in framed]
    found = []
    for place in range(2, len(sentence) + 2):
        word = lower[place]
        first, before, _, after, last = lower[place - 2 : place + 3]
        features = [
            f"a{first}",
            f"b{before}",
            f"c{word}",
            f"d{after}",
            f"e{last}",
            f"g{before} {word}",
            f"h{word} {after}",
            f"f{first} {before}",
            f"i{after} {last}",
            f"w{framed[place]}",
            f"s{shapes[place]}",
            f"t{shapes[place - 1]} {shapes[place]}",
            f"u{shapes[place]} {shapes[place + 1]}",
            f"v{shapes[place - 1]} {shapes[place]} {shapes[place + 1]}",
        ]
        for size in range(1, min(LONGEST_AFFIX, len(word)) + 1):
            features += [f"p{word[:size]}", f"q{word[-size:]}"]
        features += [f"x{before[-3:]}", f"y{after[-3:]}"]
        found.append(features)
    return found


def shape(word: str) -> str:
    """The form of a word: ``X`` for capitals, ``x`` for small letters, ``0`` for digits, runs cut to two."""
    for pattern, letter in _SHAPES:
        word = pattern.sub(letter, word)
    return _REPEATED.sub(r"\1\1", word)


def _kind(character: str) -> str:
    """One letter: digit, Latin letter, Chinese number, calendar word, other letter, mark, or the boundary."""
    if character in _CHINESE_NUMBERS:
        return "n"
    if character in _CALENDAR:
        return "y"
    if character.isdigit():
        return "0"
    if character.isascii() and character.isalpha():
        return "x"
    if character == BOUNDARY:
        return "^"
    return "z" if character.isalpha() else "."
