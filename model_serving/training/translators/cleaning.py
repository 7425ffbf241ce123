"""From a pair as it stands in a package to sentence pairs fit to learn from, or a reason why there are none."""

import html
import re
from collections.abc import Iterator

from model_serving.models.translators import placeholders
from model_serving.models.translators.text import HAN, normalise, split

LONGEST_ENGLISH = 60
"""Words."""
LONGEST_CHINESE = 120
"""Characters."""
FEWEST_PER_WORD, MOST_PER_WORD = 0.4, 5.0
"""Chinese characters for each English word; in text of four words and more, all but a few pairs lie between."""

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_PARAGRAPH = re.compile(r"\n\s*\n")
_BROKEN_LINE = re.compile(r"\s*\n\s*")
_ACCELERATOR_IN_BRACKETS = re.compile(r"\s*[(（][_&~]\w[)）]")
_ACCELERATOR = re.compile(r"(?<![&\w])&(?=\w)|(?<!\w)[_~](?=[a-zA-Z])|(?<=[a-zA-Z])[_~&](?=[a-z])")
_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(r"[a-zA-Z]{2,}")
_LETTER = re.compile(r"[^\W\d_]")


def clean(english: str, chinese: str) -> Iterator[tuple[str, str] | str]:
    """The sentence pairs of a pair, each a reason to leave it out where there is one.

    Paragraphs, then sentences, are taken one by one where both sides have as many; otherwise they stay together.
    """
    english, chinese = _plain(english), _plain(chinese)
    if _ACCELERATOR_IN_BRACKETS.search(chinese):
        chinese = _ACCELERATOR_IN_BRACKETS.sub("", chinese)
        english = _ACCELERATOR.sub("", _ACCELERATOR_IN_BRACKETS.sub("", english))
    for paragraphs in _side_by_side(_PARAGRAPH.split(english.strip()), _PARAGRAPH.split(chinese.strip()), "\n"):
        original = normalise(_BROKEN_LINE.sub(" ", paragraphs[0]), "en")
        translated = normalise(_BROKEN_LINE.sub(" ", paragraphs[1]), "zh")
        for pair in _side_by_side(split(original, "en"), split(translated, "zh"), " "):
            yield fault(*pair) or pair


def fault(english: str, chinese: str) -> str | None:
    """Why a normalised pair teaches nothing, if it does not."""
    words, characters = len(english.split()), len(chinese)
    if not english or not chinese:
        return "empty"
    if _HAN.search(english) or not _WORD.search(english):
        return "not English"
    if len(_HAN.findall(chinese)) < 0.3 * len(_LETTER.findall(placeholders.mask(chinese)[0])) or not _HAN.search(
        chinese
    ):
        return "not Chinese"
    if placeholders.formats(english) != placeholders.formats(chinese):
        return "other placeholders"
    if words > LONGEST_ENGLISH or characters > LONGEST_CHINESE:
        return "too long"
    if words > 3 and not FEWEST_PER_WORD <= characters / words <= MOST_PER_WORD:
        return "unequal lengths"
    return None


def _plain(text: str) -> str:
    return html.unescape(_TAG.sub("", text))


def _side_by_side(left: list[str], right: list[str], gap: str) -> Iterator[tuple[str, str]]:
    """Pair the pieces of two texts, or put each together again where their numbers differ."""
    if len(left) == len(right):
        yield from zip(left, right, strict=True)
    else:
        yield gap.join(left), gap.join(right)
