"""Parts of a text that mean the same in every language: format codes, numbers, addresses, markup, pictures.

A network reads and writes each as one of ten marks, characters of Unicode's private use area, and the mark is put back
as it stood. So ``%1$d`` or an address can be left out or moved, but never be spelt otherwise.
"""

import re

MARKS = [chr(0xE000 + number) for number in range(10)]

_FORMAT = r"""
    %[%\w]*\$[\w]+ | %\([\w.]+\)[a-z]    # %1$d  %(name)s
  | %[-+\#0q]*\d*(?:\.\d+)?(?:hh?|ll?|z)?[a-zA-Z]\b | %\d+ | %[A-Z]{2,}\b | %%
  | \$\{[\w.]+\} | \$\(\w+\) | \$[A-Za-z_]\w* | \{[\w.:]*\} | \[\w+\](?=\()
"""
_OTHER = r"""
    https?://[^\s<>"'，。）]*[\w/] | www\.[\w.-]+[\w/] | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
  | </?[a-zA-Z][^<>]{0,100}>
  | \d+(?:[.,:]\d+)+ | \d{2,}
  | [\u2190-\u21ff\u2600-\u27bf\ue000-\uf8ff\U0001f000-\U0001faff][\ufe0f\u200d\U0001f000-\U0001faff]*
"""
_FORMATS = re.compile(_FORMAT, re.VERBOSE | re.ASCII)
_ANY = re.compile(f"{_FORMAT} | {_OTHER}", re.VERBOSE | re.ASCII)
_MARK = re.compile(f"[{MARKS[0]}-{MARKS[-1]}]")


def formats(text: str) -> list[str]:
    """The format codes of a text, sorted: those a translation must hold unchanged."""
    return sorted(_FORMATS.findall(text))


def mask(text: str, other: str | None = None) -> tuple[str, list[str]]:
    """Write a mark for each placeholder of ``text``: the first for the first to appear, and so on.

    Args:
        text: normalised.
        other: its translation; a placeholder that is not there too is left as it is.

    Returns:
        the masked text, and what each mark stands for. Beyond the tenth placeholder all are left as they are.
    """
    known: list[str] = []
    shared = None if other is None else set(_ANY.findall(other))

    def mark(match: re.Match[str]) -> str:
        found = match[0]
        if found not in known:
            if len(known) == len(MARKS) or (shared is not None and found not in shared):
                return found
            known.append(found)
        return MARKS[known.index(found)]

    return _ANY.sub(mark, text), known


def mask_as(text: str, known: list[str]) -> str:
    """Write the marks of ``known`` into a translation."""
    return _ANY.sub(lambda match: MARKS[known.index(match[0])] if match[0] in known else match[0], text)


def unmask(text: str, known: list[str]) -> str:
    """Put back what the marks stand for; a mark that stands for nothing vanishes."""
    return _MARK.sub(lambda match: known[ord(match[0]) - 0xE000] if ord(match[0]) - 0xE000 < len(known) else "", text)
