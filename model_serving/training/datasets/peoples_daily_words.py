"""People's Daily, January 1998, as words alone: what a model learns from that only cuts text into words."""

from model_serving.training.datasets import peoples_daily
from model_serving.training.datasets.corpus import Corpus, TaggedSentence

PACKAGE = peoples_daily.PACKAGE
WORD = "w"
"""The kind of every span."""


def load() -> Corpus:
    """The corpus in the parts of :mod:`.peoples_daily`, its tags all one."""
    tagged = peoples_daily.load()
    train, dev, test = (bare(part) for part in (tagged.train, tagged.dev, tagged.test))
    return Corpus(train, dev, test, tagged.source, tagged.split, tagged.language)


def bare(sentences: list[TaggedSentence]) -> list[TaggedSentence]:
    """The same words without their tags."""
    return [TaggedSentence(s.units, [span._replace(label=WORD) for span in s.spans]) for s in sentences]
