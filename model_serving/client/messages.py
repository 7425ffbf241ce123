"""Strings of a program as a translator needs them: without accelerators and margins, and what must survive.

A message that a programmer wrote for a screen holds more than words: codes that are filled in, markup, an underscore
before the letter that a key press chooses, blanks and line breaks at its ends. What is translated is the rest.
"""

import re
from collections import Counter
from dataclasses import dataclass

MARKS = "_&~"
"""Accelerator marks: of GTK, of Qt, KDE and Windows, of LibreOffice."""
FEW_WORDS = 5
"""Longer texts than that are no menu entries or buttons, so a mark in them proves nothing."""

_PLACEHOLDER = re.compile(
    r"""
    %(?:\d+\$)?[-+\#0']*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh?|ll?|[qLjzt])?[diouxXeEfFgGaAcCsSpnmr@]  # %s %2$d %-5.2lf
  | %[-+\#0']*\d*(?:\.\d+)?<PRI\w+> | %\([^()\s]+\)[-+\#0]*\d*(?:\.\d+)?[a-zA-Z] | %L?\d+ | %%    # %(name)s %1
  | \$\{[^{}\s]+\} | \$\(\w+\) | \$[a-zA-Z_]\w* | \{[^{}\s]*\}                                    # ${x} $x {name}
  | </?[a-zA-Z][^<>]*> | &\#?\w+;                                                                 # <b> &lt;
  | https?://[^\s<>"']*[\w/] | [\w.+-]+@[\w-]+(?:\.[\w-]+)+ | [\t\r\v\f\x1b]
    """,
    re.VERBOSE | re.ASCII,
)
_NUMBERED_OR_NAMED = re.compile(r"%\d+\$|%\(|%L?\d+$|\{\w|%%")
_IN_TURN = ("%", "{")
_FLAG_OF_SPACE = re.compile(r"(?<!%)% [a-zA-Z]")
_MARGINS = re.compile(r"(\s*)(.*?)(\s*)", re.DOTALL)
_END = re.compile(r"[\s.…:：。!！?？]*$")
_ACCELERATOR = {mark: re.compile(rf"(?<![\w{mark}]){mark}(?=[a-zA-Z0-9])") for mark in MARKS}
_INSIDE = {mark: re.compile(rf"(?<=[a-zA-Z]){mark}(?=[a-z])") for mark in MARKS}


@dataclass(frozen=True)
class Message:
    """A text taken apart: what stands at its ends, its accelerator's letter, and the rest, to be translated."""

    text: str
    before: str = ""
    after: str = ""
    accelerator: str = ""

    @classmethod
    def of(cls, text: str, mark: str) -> "Message":
        """Take a text apart; accelerators are written with ``mark``, or not at all where it is empty."""
        found = _MARGINS.fullmatch(text)
        before, middle, after = found.groups() if found else ("", text, "")
        place = _accelerator(middle, mark)
        if place is None:
            return cls(middle, before, after)
        return cls(middle[:place] + middle[place + 1 :], before, after, mark + middle[place + 1].upper())

    def put_together(self, translation: str) -> str:
        """The translation between the same ends, its accelerator in brackets before the last punctuation mark."""
        if "..." in self.text and "…" not in self.text:
            translation = translation.replace("…", "...")
        if self.accelerator:
            end = _END.search(translation)
            place = end.start() if end else len(translation)
            translation = f"{translation[:place]}({self.accelerator}){translation[place:]}"
        return self.before + translation + self.after


def damage(original: str, translation: str, *, formatted: bool) -> str | None:
    """Why a translation could not stand for its original in a program, if it could not.

    Args:
        original, translation: as the program reads them.
        formatted: whether the original is known to be filled in by a function like ``printf``.
    """
    ours, theirs = placeholders(original), placeholders(translation)
    missing, surplus = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
    if missing:
        return f"{' '.join(map(_shown, missing.elements()))} would be lost"
    if surplus:
        return f"{' '.join(map(_shown, surplus.elements()))} would be added"
    if _in_turn(ours) != _in_turn(theirs):
        return f"{' '.join(_in_turn(ours))} would come in another order"
    if formatted and _FLAG_OF_SPACE.search(original):
        return "it may hold a format code with a space"
    return None


def placeholders(text: str) -> list[str]:
    """Format codes, variables, markup, addresses and control characters, in their order."""
    return _PLACEHOLDER.findall(text)


def accelerator_mark(pairs: list[tuple[str, str]]) -> str:
    """The mark of a program's accelerators, from its originals and translations, empty where they are not yet made.

    Where translations show marks, or show that there are none, they decide; otherwise the short originals do.
    """
    best, most = "", (0, 0)
    for mark in MARKS:
        short = [pair for pair in pairs if len(pair[0].split()) <= FEW_WORDS and _begins_word(pair[0], mark)]
        made = [translation for _, translation in short if translation]
        kept = sum(mark in translation for translation in made)
        if 2 * kept >= len(made) and (kept, len(short)) > most:
            best, most = mark, (kept, len(short))
    return best


def _begins_word(text: str, mark: str) -> bool:
    return _accelerator(text, mark) is not None and bool(_ACCELERATOR[mark].search(text))


def _accelerator(text: str, mark: str) -> int | None:
    """Where the only mark before a letter stands, placeholders aside."""
    if not mark:
        return None
    plain = _PLACEHOLDER.sub(lambda found: " " * len(found[0]), text)
    if plain.count(mark) != 1:
        return None
    found = _ACCELERATOR[mark].search(plain) or _INSIDE[mark].search(plain)
    return found.start() if found else None


def _in_turn(found: list[str]) -> list[str]:
    """The codes that are filled in one after the other, having neither number nor name."""
    return [each for each in found if each.startswith(_IN_TURN) and not _NUMBERED_OR_NAMED.match(each)]


def _shown(placeholder: str) -> str:
    return placeholder if placeholder.isprintable() else ascii(placeholder)[1:-1]
