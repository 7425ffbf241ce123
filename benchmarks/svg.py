"""Pictures as SVG: what the drawings of words have in common."""

from collections.abc import Iterable
from html import escape

LETTER = 15
"""The height of a label in pixels."""


def picture(width: int, height: int, title: str, parts: Iterable[str], *, anchor: str = "start") -> str:
    """Elements on white paper; ``anchor`` is the place of a text that it is put down by."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="sans-serif" font-size="{LETTER}" text-anchor="{anchor}">',
            f'<title>{escape(title)}</title><rect width="{width}" height="{height}" fill="#fff"/>',
            *parts,
            "</svg>\n",
        ]
    )


def breadth(word: str) -> float:
    """About how wide a label is in pixels; Chinese characters are square."""
    return LETTER * sum(0.55 if character.isascii() else 1 for character in word)
