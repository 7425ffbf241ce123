"""Tagged sentences and how they are held out."""

from dataclasses import dataclass

from model_serving.models.taggers.schemes import Span


@dataclass(frozen=True)
class TaggedSentence:
    """Folded characters without white space, and the disjoint spans over them in rising order."""

    characters: str
    spans: list[Span]


@dataclass(frozen=True)
class Corpus:
    """A tagged corpus in three parts that share no line, and what a card says about it.

    ``source`` holds ``name``, ``package``, ``licence`` and ``sha256``; ``split`` says in words how the parts were cut.
    """

    train: list[TaggedSentence]
    dev: list[TaggedSentence]
    test: list[TaggedSentence]
    source: dict[str, str]
    split: str
