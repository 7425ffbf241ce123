"""Tagged sentences and how they are held out."""

from collections.abc import Sequence
from dataclasses import dataclass

from model_serving.models.taggers.schemes import Span, encode


@dataclass(frozen=True)
class TaggedSentence:
    """What a tagger reads, and the disjoint spans over it in rising order.

    ``units`` are the folded characters of a Chinese sentence, without white space, or the words of an English one.
    """

    units: Sequence[str]
    spans: list[Span]


@dataclass(frozen=True)
class Corpus:
    """A tagged corpus in three parts that share no line, and what a card says about it.

    ``source`` holds ``name``, ``package``, ``licence`` and ``sha256``; ``split`` says in words how the parts were cut;
    ``language`` is ``zh`` or ``en``.
    """

    train: list[TaggedSentence]
    dev: list[TaggedSentence]
    test: list[TaggedSentence]
    source: dict[str, str]
    split: str
    language: str = "zh"


def labels_of(sentence: TaggedSentence) -> list[str]:
    """The BIOES labels of its units."""
    return encode(sentence.spans, len(sentence.units))
