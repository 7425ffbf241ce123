"""The simple answers a model must beat."""

from collections import Counter, defaultdict

from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets.corpus import TaggedSentence


class LongestMatch:
    """From left to right, take the longest span known from the training part, with its most frequent label.

    Args:
        train: where the spans are learnt.
        fallback: the label of a character where nothing matches, or None to pass over it.
    """

    def __init__(self, train: list[TaggedSentence], fallback: str | None = None):
        seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for sentence in train:
            for start, end, label in sentence.spans:
                seen[sentence.characters[start:end]][label] += 1
        self._labels = {characters: counts.most_common(1)[0][0] for characters, counts in seen.items()}
        self._longest = max(map(len, self._labels), default=1)
        self._fallback = fallback

    def spans(self, characters: str) -> list[Span]:
        """The spans found in a sentence."""
        found = []
        start = 0
        while start < len(characters):
            end = self._match(characters, start)
            label = self._labels.get(characters[start:end], self._fallback)
            if label is not None:
                found.append(Span(start, end, label))
            start = end
        return found

    def _match(self, characters: str, start: int) -> int:
        for end in range(min(len(characters), start + self._longest), start + 1, -1):
            if characters[start:end] in self._labels:
                return end
        return start + 1
