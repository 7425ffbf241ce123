"""Which language a text is in, by its script."""

import re

CHINESE = "zh"
ENGLISH = "en"

_HAN = re.compile(r"[\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")


def language_of(text: str) -> str:
    """English where words of Latin letters outnumber Chinese characters, else Chinese."""
    return ENGLISH if len(_LATIN_WORD.findall(text)) > len(_HAN.findall(text)) else CHINESE
