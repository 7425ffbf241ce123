"""The served model of the family: raw text in; words, parts of speech or names with their offsets out."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

from model_serving.models.taggers import schemes
from model_serving.models.taggers.labelling import Labelling
from model_serving.models.taggers.text import Sentence, fold, sentences

BATCH_CHARACTERS = 4096
"""Characters, padding included, that a labeller is given at once."""

Tagging = dict[str, list[dict[str, Any]]]
"""``{"tokens": [...]}`` or ``{"entities": [...]}``, as in the HTTP contract."""


class Labeller(Protocol):
    """What the networks of this family have in common."""

    def label(self, sentences: list[str], *, confidence: bool, any_kind: bool = False) -> list[Labelling]:
        """Label each character of non-empty, folded sentences.

        Args:
            sentences: at least one.
            confidence: whether the scores of spans are wanted.
            any_kind: whether they are those of a span of whatever kind, not of its own alone.
        """


class Tagger:
    """Tags Chinese text.

    Args:
        labellers: the labeller of each task, ``seg``, ``pos`` or ``ner``. One that finds parts of speech serves
            ``seg`` too.
    """

    def __init__(self, labellers: Mapping[str, Labeller]):
        self._labellers = labellers

    def cost(self, text: str) -> int:
        """The work a text makes, in characters."""
        return len(text)

    def predict(self, texts: list[str], *, task: str, confidence: bool = False) -> list[Tagging]:
        """Tag each text; an empty one has no tokens and no entities."""
        read = [list(sentences(text)) for text in texts]
        labelled = iter(self._label([s for text in read for s in text], task, confidence))
        return [
            _tagging(text, [(sentence, next(labelled)) for sentence in found], task)
            for text, found in zip(texts, read, strict=True)
        ]

    def _label(self, found: list[Sentence], task: str, confidence: bool) -> list[Labelling]:
        """Label sentences in batches of like length, answers in the order given."""
        order = sorted(range(len(found)), key=lambda place: len(found[place].characters))
        results: dict[int, Labelling] = {}
        for batch in _batches(order, [len(sentence.characters) for sentence in found]):
            characters = [found[place].characters for place in batch]
            labellings = self._labellers[task].label(characters, confidence=confidence, any_kind=task == "seg")
            results.update(zip(batch, labellings, strict=True))
        return [results[place] for place in range(len(found))]


def load(folder: Path, load_labeller: Callable[[Path], Labeller]) -> Tagger:
    """A tagger over the variants ``zh-pos`` and ``zh-ner`` in ``folder``."""
    words, names = load_labeller(folder / "zh-pos"), load_labeller(folder / "zh-ner")
    return Tagger({"pos": words, "seg": words, "ner": names})


def _batches(order: Iterable[int], sizes: list[int]) -> Iterator[list[int]]:
    """Cut places, ordered by rising size, into batches of at most ``BATCH_CHARACTERS`` with padding."""
    batch: list[int] = []
    for place in order:
        if batch and sizes[place] * (len(batch) + 1) > BATCH_CHARACTERS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _tagging(text: str, labelled: list[tuple[Sentence, Labelling]], task: str) -> Tagging:
    """Write the spans of a text's sentences in the terms of the text as sent."""
    found = []
    for sentence, labelling in labelled:
        for span in schemes.decode(labelling.labels):
            for start, end in _pieces(text, sentence.places[span.start : span.end], task):
                item: dict[str, Any] = {"text": text[start:end], "start": start, "end": end}
                if task != "seg":
                    item["label" if task == "ner" else "tag"] = span.label
                if labelling.opening is not None:
                    item["confidence"] = labelling.confidence(span)
                found.append(item)
    return {"entities" if task == "ner" else "tokens": found}


def _pieces(text: str, places: list[int], task: str) -> Iterator[tuple[int, int]]:
    """The span over ``places``, cut where white space stands inside it.

    Only a name may run across white space, and only beside a Latin letter or digit, as in ``New York``.
    """
    start = places[0]
    for before, after in pairwise(places):
        joined = after == before + 1 or (task == "ner" and any(map(str.isascii, fold(text[before] + text[after]))))
        if not joined:
            yield start, before + 1
            start = after
    yield start, places[-1] + 1
