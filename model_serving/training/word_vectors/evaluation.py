"""What word vectors know, in points of 100, each beside the simplest answer to the same question."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import torch
from scipy.stats import mannwhitneyu, spearmanr

from model_serving.models.word_vectors.space import Space
from model_serving.models.word_vectors.vectors import WordVectors
from model_serving.training.datasets import word_tests
from model_serving.training.datasets.word_tests import Judged, Question
from model_serving.training.trainable import Metrics

JUDGED = {"wordsim353.tsv": "WordSim-353", "simlex999.txt": "SimLex-999"}
"""The files of pairs that people judged, and what they are called."""

Likeness = Callable[[Sequence[tuple[str, str]]], list[float]]


def cosines(space: Space) -> Likeness:
    """How alike words are by their vectors."""

    def likeness(pairs: Sequence[tuple[str, str]]) -> list[float]:
        one, other = (torch.tensor([space.words.row(word) for word in words]) for words in zip(*pairs, strict=True))
        return [float(number) for number in (space.unit[one] * space.unit[other]).sum(1)]

    return likeness


def spelling(pairs: Iterable[tuple[str, str]]) -> list[float]:
    """How alike words are by the pairs of letters that they share (Dice)."""
    return [_dice(_pieces(one), _pieces(other)) for one, other in pairs]


def frequency(space: Space) -> Likeness:
    """How near words are in the order of frequency."""
    rows = {word: row for row, word in enumerate(space.words.symbols)}
    return lambda pairs: [-abs(rows[one] - rows[other]) for one, other in pairs]


def rank_correlation(judged: Sequence[Judged], likeness: Likeness) -> float:
    """Spearman's correlation of judged scores with the likeness of the words."""
    found = likeness([(one, other) for one, other, _ in judged])
    return 100 * float(spearmanr(found, [score for _, _, score in judged]).statistic)


def area(alike: Sequence[tuple[str, str]], unlike: Sequence[tuple[str, str]], likeness: Likeness) -> float:
    """The area under the ROC curve: how often a pair that is alike is found more alike than one that is not."""
    found, other = likeness(alike), likeness(unlike)
    return 100 * float(mannwhitneyu(found, other).statistic) / (len(found) * len(other))


def analogies(space: Space, asked: Sequence[Question], method: str = "3cosadd") -> dict[str, tuple[int, int]]:
    """Right answers and questions asked by section; the answer is any word of the vocabulary but the three."""
    served = WordVectors({"": space})
    scores: dict[str, tuple[int, int]] = {}
    for first in range(0, len(asked), 128):
        part = asked[first : first + 128]
        triples = [[question.first, question.second, question.third] for question in part]
        answers = served.predict(triples, action="analogy", variant="", top=1, method=method)
        for question, answer in zip(part, answers, strict=True):
            right, number = scores.get(question.section, (0, 0))
            is_right = isinstance(answer, dict) and [found["word"] for found in answer["answers"]] == [question.answer]
            scores[question.section] = (right + is_right, number + 1)
    return scores


def only_third(space: Space, asked: Sequence[Question]) -> float:
    """How often the word nearest to the third is the answer: what is right without any analogy."""
    return _accuracy(analogies(space, [question._replace(second=question.first) for question in asked]))


def known(space: Space, words: Iterable[str]) -> bool:
    """Whether the vocabulary holds all the words."""
    return all(space.words.row(word) is not None for word in words)


def measure(space: Space, language: str) -> Metrics:
    """The metrics of vectors as a card lists them; words outside the vocabulary are not asked for."""
    return _chinese(space) if language == "zh" else _english(space)


def report(space: Space, language: str) -> Iterator[str]:
    """How much of each test could be asked, and the analogies by section."""
    if language == "zh":
        words = set(space.words.symbols)
        alike, _ = word_tests.synonyms(words)
        yield f"Cilin: {len(alike):,} pairs of synonyms, {len(word_tests.related(words)):,} related pairs"
        return
    for member, dataset in JUDGED.items():
        judged = word_tests.judgements(member)
        yield f"{dataset}: {len(_held(space, judged)):,} of {len(judged):,} pairs"
    questions = word_tests.questions()
    asked = [question for question in questions if known(space, question[1:])]
    yield f"Google analogies: {len(asked):,} of {len(questions):,} questions"
    for section, (right, number) in analogies(space, asked).items():
        yield f"Google analogies, {section}: {right:,} of {number:,} right, {100 * right / number:.1f}"


def _held(space: Space, judged: Iterable[Judged]) -> list[Judged]:
    return [each for each in judged if known(space, (each.first, each.second))]


def _english(space: Space) -> Metrics:
    metrics = []
    for member, dataset in JUDGED.items():
        judged = _held(space, word_tests.judgements(member))
        simple = max(0.0, rank_correlation(judged, spelling))
        metrics.append(_metric("similarity", dataset, "Spearman", rank_correlation(judged, cosines(space)), simple))
    asked = [question for question in word_tests.questions() if known(space, question[1:])]
    right = _accuracy(analogies(space, asked))
    near = ("word nearest to the third", only_third(space, asked))
    return [*metrics, _metric("analogy", "Google analogies", "accuracy", right, near[1], near[0])]


def _chinese(space: Space) -> Metrics:
    words = set(space.words.symbols)
    alike, unlike = word_tests.synonyms(words)
    judged = word_tests.related(words)
    own, simple = cosines(space), frequency(space)
    return [
        _metric("synonyms", "Cilin", "AUC", area(alike, unlike, own), area(alike, unlike, simple), "like frequency"),
        _metric(
            "relatedness",
            "Cilin",
            "Spearman",
            rank_correlation(judged, own),
            rank_correlation(judged, simple),
            "like frequency",
        ),
    ]


def _metric(
    task: str, dataset: str, metric: str, value: float, simple: float, baseline: str = "shared spelling"
) -> dict[str, object]:
    return {
        "task": task,
        "dataset": dataset,
        "split": "test",
        "metric": metric,
        "value": round(value, 2),
        "baseline": {"name": baseline, "value": round(simple, 2)},
    }


def _accuracy(scores: dict[str, tuple[int, int]]) -> float:
    right, asked = (sum(column) for column in zip(*scores.values(), strict=True))
    return 100.0 * float(right) / float(asked)


def _pieces(word: str) -> set[str]:
    return {word[place : place + 2] for place in range(len(word) - 1)}


def _dice(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / max(1, len(one) + len(other))
