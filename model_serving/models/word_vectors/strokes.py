"""Chinese words as strokes, each of one of five classes (Cao et al., 2018, table 1)."""

from collections.abc import Mapping

_LETTERS = {
    "1": "ji",  # heng, left to right
    "2": "fg",  # shu, down
    "3": "s",  # pie, down to the left
    "4": "lkd",  # na and dian, down to the right
}
"""How the stroke table writes each class; all other letters are of the fifth, zhe, the strokes that turn."""
_CLASSES = {letter: number for number, letters in _LETTERS.items() for letter in letters}


def classes(letters: str) -> str:
    """The classes of a character's strokes, in the order of writing."""
    return "".join(_CLASSES.get(letter, "5") for letter in letters)


def of_word(word: str, table: Mapping[str, str]) -> str:
    """The strokes of a word's characters; of none where one is not in the table."""
    return "".join(table[character] for character in word) if all(map(table.__contains__, word)) else ""
