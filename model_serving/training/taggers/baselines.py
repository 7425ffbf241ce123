"""The simple answers a model must beat."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets.corpus import TaggedSentence


class LongestMatch:
    """From left to right, take the longest span known from the training part, with its most frequent label.

    Args:
        train: where the spans are learnt.
        fallback: the label of a unit where nothing matches, or None to pass over it.
    """

    def __init__(self, train: list[TaggedSentence], fallback: str | None = None):
        seen: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for sentence in train:
            for start, end, label in sentence.spans:
                seen[tuple(sentence.units[start:end])][label] += 1
        self._labels = {units: counts.most_common(1)[0][0] for units, counts in seen.items()}
        self._longest = max(map(len, self._labels), default=1)
        self._fallback = fallback

    def spans(self, sentence: Sequence[str]) -> list[Span]:
        """The spans found in a sentence."""
        units = tuple(sentence)
        found = []
        start = 0
        while start < len(units):
            end = self._match(units, start)
            label = self._labels.get(units[start:end], self._fallback)
            if label is not None:
                found.append(Span(start, end, label))
            start = end
        return found

    def _match(self, units: tuple[str, ...], start: int) -> int:
        for end in range(min(len(units), start + self._longest), start + 1, -1):
            if units[start:end] in self._labels:
                return end
        return start + 1
