"""Raw text to the sentences a translator reads: one form for each character, cut where a sentence ends."""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_WIDE = f"{HAN}，。；：？！（）“”《》、…—"
_FULL_WIDTH = str.maketrans(",;:?!", "，；：？！")
_PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "「": '"', "」": '"'})
_CHINESE = str.maketrans({"「": "“", "」": "”", "『": "‘", "』": "’", "﹔": "；", "﹕": "："})
_DOTS = re.compile(r"(?:\.{3,}|…|。{3,})+")
_SPACE = re.compile(r"\s+")
_MARKS_AFTER_HAN = re.compile(rf"(?<=[{HAN}”）…])[,;:?!]+")
_STOP_AFTER_HAN = re.compile(rf"(?<=[{HAN}”）])\.(?![\w.])")
_BRACKETS = re.compile(rf"\(([^()]*[{HAN}][^()]*)\)")
_SPACE_BESIDE_WIDE = re.compile(rf"(?<=[{_WIDE}]) | (?=[{_WIDE}])")
_END = {
    "en": re.compile(r"""[.!?…]+["')\]]*(?=\s+["'(\[]?[A-Z0-9\ue000-\uf8ff])"""),
    "zh": re.compile(r"[。！？]+[”’）》]*"),
}
_ABBREVIATION = re.compile(r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|No|Mr|Mrs|Ms|Dr|St|[A-Z])\.$")


class Sentence(NamedTuple):
    """A normalised sentence, and whether a line ends after it."""

    text: str
    ends_line: bool


def normalise(text: str, language: str) -> str:
    """Give variants of a character one form, and white space its fewest.

    Quotes, dots and brackets are those the corpus is written in: straight ones in English, full-width ones beside
    Chinese characters, where no space is left either. Control characters and unassigned ones vanish.
    """
    text = "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cn", "Cs") or c.isspace())
    text = _DOTS.sub("…", _SPACE.sub(" ", unicodedata.normalize("NFC", text))).strip()
    if language != "zh":
        return text.translate(_PLAIN)
    text = _BRACKETS.sub(r"（\1）", _SPACE_BESIDE_WIDE.sub("", text.translate(_CHINESE)))
    text = _STOP_AFTER_HAN.sub("。", _MARKS_AFTER_HAN.sub(lambda marks: marks[0].translate(_FULL_WIDTH), text))
    return _DOTS.sub("…", _SPACE_BESIDE_WIDE.sub("", text))


def sentences(text: str, language: str) -> Iterator[Sentence]:
    """Split a text at line breaks and sentence ends; stretches of nothing but white space vanish."""
    for line in text.splitlines():
        found = split(normalise(line, language), language)
        for place, sentence in enumerate(found, 1):
            yield Sentence(sentence, place == len(found))


def split(line: str, language: str) -> list[str]:
    """The sentences of a normalised line: ``"Stop. Go!"`` -> ``["Stop.", "Go!"]``."""
    found, start = [], 0
    for end in _END[language].finditer(line):
        if language == "en" and _ABBREVIATION.search(line, max(start, end.end() - 8), end.end()):
            continue
        found.append(line[start : end.end()].strip())
        start = end.end()
    return [sentence for sentence in (*found, line[start:].strip()) if sentence]


def join(translated: list[Sentence], language: str) -> str:
    """Put sentences together again as ``language`` is written, keeping the line breaks between them."""
    gap = "" if language == "zh" else " "
    written = "".join(sentence.text + ("\n" if sentence.ends_line else gap) for sentence in translated)
    return written.rstrip()
