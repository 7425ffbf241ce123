"""The served model of the family: raw text in; words, parts of speech or names with their offsets out."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Protocol

from model_serving.models.errors import InputError
from model_serving.models.languages import CHINESE, ENGLISH, language_of
from model_serving.models.taggers import english, schemes
from model_serving.models.taggers.labelling import VITERBI, Labelling, Reading
from model_serving.models.taggers.schemes import Span
from model_serving.models.taggers.text import Sentence, fold, sentences

BATCH_CHARACTERS = 4096
"""Characters or words, padding included, that a labeller is given at once."""

Tagging = dict[str, Any]
"""``{"tokens": [...]}`` or ``{"entities": [...]}``, perhaps with ``"language"``, as in the HTTP contract."""


class Labeller(Protocol):
    """What the networks of this family have in common."""

    temperature: float

    def label(self, sentences: Sequence[Sequence[str]], how: Reading) -> list[Labelling]:
        """Label each unit, character or word, of non-empty, folded sentences.

        Args:
            sentences: at least one.
            how: what is wanted.
        """


class Tagger:
    """Tags Chinese text, and English where it has labellers for it.

    Args:
        chinese: the labeller of each task, ``seg``, ``pos`` or ``ner``. One that finds parts of speech serves
            ``seg`` too.
        english: the same for English; without them all text is read as Chinese.
    """

    def __init__(self, chinese: Mapping[str, Labeller], english: Mapping[str, Labeller] | None = None):
        self._labellers = {CHINESE: chinese} | ({ENGLISH: english} if english else {})

    def cost(self, text: str) -> int:
        """The work a text makes, in characters."""
        return len(text)

    def predict(
        self,
        texts: list[str],
        *,
        task: str,
        language: str | None = None,
        confidence: bool = False,
        decoding: str = VITERBI,
    ) -> list[Any]:
        """Tag each text: a ``Tagging``, or an ``InputError`` where its language has not the task.

        An empty text has no tokens and no entities.

        ``decoding`` is ``viterbi`` or ``posterior``; see :class:`model_serving.models.taggers.labelling.Reading`.
        Without a ``language`` each text is read as the one its script tells, or as Chinese where that alone is offered
        for the task. A tagger of several languages names it.
        """
        how = Reading(confidence, any_kind=task == "seg", decoding=decoding)
        languages = [language or self._language_of(text, task) for text in texts]
        read = [_read(text, spoken, task) for text, spoken in zip(texts, languages, strict=True)]
        labelled = {
            spoken: iter(self._label(chain.from_iterable(_of(spoken, languages, read)), spoken, task, how))
            for spoken in set(languages)
            if self._offers(task, spoken)
        }
        results: list[Tagging | InputError] = []
        for text, spoken, found in zip(texts, languages, read, strict=True):
            if found and spoken not in labelled:
                others = " or ".join(other for other in self._labellers if self._offers(task, other))
                results.append(InputError(f"can not be read for {task} in {spoken}, only in {others}"))
                continue
            pairs = [(sentence, next(labelled[spoken])) for sentence in found]
            tagging = _tagging(text, pairs, task, spoken)
            results.append(tagging | {"language": spoken} if len(self._labellers) > 1 else tagging)
        return results

    def _language_of(self, text: str, task: str) -> str:
        told = language_of(text)
        return CHINESE if self._offers(task, CHINESE) and not self._offers(task, told) else told

    def _offers(self, task: str, language: str) -> bool:
        return task in self._labellers.get(language, {})

    def _label(self, sentences: Iterable[Sentence], language: str, task: str, how: Reading) -> list[Labelling]:
        """Label sentences in batches of like length, answers in the order given."""
        found = list(sentences)
        order = sorted(range(len(found)), key=lambda place: len(found[place].units))
        results: dict[int, Labelling] = {}
        for batch in _batches(order, [len(sentence.units) for sentence in found]):
            units = [found[place].units for place in batch]
            labelled = self._labellers[language][task].label(units, how)
            results.update(zip(batch, labelled, strict=True))
        return [results[place] for place in range(len(found))]


def load(folder: Path, load_labeller: Callable[[Path], Labeller], variants: Iterable[str]) -> Tagger:
    """A tagger over trained variants in ``folder``, each named by its language and task."""
    labellers: dict[str, dict[str, Labeller]] = {CHINESE: {}, ENGLISH: {}}
    for variant in variants:
        language, _, task = variant.partition("-")
        labellers[language][task] = load_labeller(folder / variant)
    for tasks in labellers.values():
        if "pos" in tasks:
            tasks.setdefault("seg", tasks["pos"])
    return Tagger(labellers[CHINESE], labellers[ENGLISH])


def _read(text: str, language: str, task: str) -> list[Sentence]:
    return list(english.sentences(text, clitics=task == "ner") if language == ENGLISH else sentences(text))


def _of(language: str, languages: list[str], read: list[list[Sentence]]) -> Iterator[list[Sentence]]:
    """The sentences of the texts of one language."""
    return (found for spoken, found in zip(languages, read, strict=True) if spoken == language)


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


def _tagging(text: str, labelled: list[tuple[Sentence, Labelling]], task: str, language: str) -> Tagging:
    """Write the spans of a text's sentences in the terms of the text as sent."""
    found = []
    for sentence, labelling in labelled:
        for span in schemes.decode(labelling.labels):
            for start, end in _places(text, sentence, span, task, language):
                item: dict[str, Any] = {"text": text[start:end], "start": start, "end": end}
                if task != "seg":
                    item["label" if task == "ner" else "tag"] = span.label
                if labelling.opening is not None:
                    item["confidence"] = labelling.confidence(span)
                found.append(item)
    return {"entities" if task == "ner" else "tokens": found}


def _places(text: str, sentence: Sentence, span: Span, task: str, language: str) -> Iterator[tuple[int, int]]:
    """Where a span starts and ends in the text as sent; it may come in pieces."""
    places = sentence.places[span.start : span.end]
    if language == ENGLISH:
        return iter([(places[0], places[-1] + len(sentence.units[span.end - 1]))])
    return _pieces(text, places, task)


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
