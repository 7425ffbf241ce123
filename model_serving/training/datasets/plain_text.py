"""Plain text for models that learn from words in their context."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PlainText:
    """Sentences as words in the form the vectors know them, and what a card says about where they come from."""

    sentences: Sequence[Sequence[str]]
    sources: list[dict[str, str]]
