"""Train and measure the taggers: which corpus each variant learns from, and what its card says."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from model_serving.models import artifact
from model_serving.models.errors import InputError
from model_serving.models.languages import CHINESE
from model_serving.models.taggers.schemes import Span
from model_serving.models.taggers.tagger import Labeller, Tagger
from model_serving.training.datasets import brown, conll2003, msra, peoples_daily, peoples_daily_words
from model_serving.training.datasets.corpus import Corpus, TaggedSentence
from model_serving.training.datasets.packages import Package
from model_serving.training.taggers.baselines import LongestMatch
from model_serving.training.taggers.calibration import calibrate
from model_serving.training.taggers.metrics import span_scores, spans_of, unknown_recall, unlabelled
from model_serving.training.trainable import Metrics

CORPORA = {
    "zh-seg": peoples_daily_words,
    "zh-pos": peoples_daily,
    "zh-ner": msra,
    "en-pos": brown,
    "en-ner": conll2003,
}


@dataclass(frozen=True)
class TaggerTraining:
    """How a tagger is trained and measured: the module of the served model and that of its recipe."""

    model: ModuleType
    recipe: ModuleType

    @property
    def packages(self) -> tuple[Package, ...]:
        """What holds the corpora of the variants."""
        corpora = (CORPORA[variant].PACKAGE for variant in self.variants)
        return (*corpora, *getattr(self.recipe, "PACKAGES", ()))

    @property
    def variants(self) -> tuple[str, ...]:
        """Those of the served model."""
        return tuple(self.model.VARIANTS)

    @property
    def slug(self) -> str:
        """The name of the model's module."""
        return self.model.__name__.rpartition(".")[2]

    def train(self, name: str, folder: Path, checkpoint: Path, seed: int) -> Metrics:
        """Train the variant that ``folder`` is named after and write its artifact there."""
        corpus = CORPORA[folder.name].load()
        began = time.monotonic()
        labeller, record = self.recipe.train(corpus, checkpoint, seed=seed)
        record = {"minutes": round((time.monotonic() - began) / 60, 1)} | record
        card = {
            "model": name,
            "variant": folder.name,
            "paper": self.recipe.PAPER,
            "architecture": labeller.architecture,
            "data": self.recipe.sources(corpus) if hasattr(self.recipe, "sources") else [corpus.source],
            "split": corpus.split,
            "seed": seed,
            "training": record,
            "metrics": [],
        }
        artifact.save(folder, card, labeller.weights(), labeller.vocabulary())
        return self.finish(folder)

    def finish(self, folder: Path) -> Metrics:
        """Calibrate and measure the artifact in ``folder`` and write both into its card."""
        language, _, task = folder.name.partition("-")
        corpus = CORPORA[folder.name].load()
        words_alone = language == CHINESE and task == "pos"
        calibration = calibrate(self.model.load_labeller(folder), corpus, words_alone=words_alone)
        artifact.update_card(folder, calibration=calibration)
        metrics = self.measure(folder)
        artifact.update_card(folder, metrics=metrics)
        return metrics

    def measure(self, folder: Path) -> Metrics:
        """What the artifact in ``folder`` reaches on the test part of its variant's corpus."""
        return measure(self.model.load_labeller(folder), folder.name)


def measure(labeller: Labeller, variant: str) -> Metrics:
    """The metrics of a labeller on the test part of its variant's corpus, as a card lists them.

    Chinese is read as the served tagger reads it, English in the words of the corpus.
    """
    corpus: Corpus = CORPORA[variant].load()
    task = variant.partition("-")[2]
    units = [sentence.units for sentence in corpus.test]
    gold = [sentence.spans for sentence in corpus.test]
    if corpus.language == CHINESE:
        found = _served_spans(Tagger({task: labeller}), ["".join(sentence) for sentence in units], task)
    else:
        found = spans_of(labeller, units)
    if task == "seg":
        figures = _cut_figures(corpus.train, list(zip(units, gold, strict=True)), found)
    elif task == "ner":
        figures = _name_figures(corpus.train, units, gold, found)
    else:
        figures = _word_figures(corpus, list(zip(units, gold, strict=True)), found)
    return [
        {
            "task": task,
            "dataset": corpus.source["name"],
            "split": "test",
            "metric": metric,
            "value": round(value, 2),
            "baseline": {"name": name, "value": round(simple_value, 2)},
        }
        for task, metric, value, name, simple_value in figures
    ]


_Figures = list[tuple[str, str, float, str, float]]
"""Task, metric, value, name of the baseline, and its value."""


def _name_figures(
    train: list[TaggedSentence], units: list[Sequence[str]], gold: list[list[Span]], found: list[list[Span]]
) -> _Figures:
    """Precision, recall and F1 of names."""
    baseline = LongestMatch(train)
    scores, simple = span_scores(gold, found), span_scores(gold, map(baseline.spans, units))
    name = "dictionary of training entities"
    return [
        ("ner", "entity F1", scores.f1, name, simple.f1),
        ("ner", "entity precision", scores.precision, name, simple.precision),
        ("ner", "entity recall", scores.recall, name, simple.recall),
    ]


def _word_figures(corpus: Corpus, gold: list[tuple[Sequence[str], list[Span]]], found: list[list[Span]]) -> _Figures:
    """Tagged words, those that the training part does not hold apart, and in Chinese the words alone."""
    baseline = LongestMatch(corpus.train, fallback="n" if corpus.language == CHINESE else "nn")
    simple = [baseline.spans(text) for text, _ in gold]
    known = _known(corpus.train)
    expected = [spans for _, spans in gold]
    unknown, simple_unknown = unknown_recall(gold, found, known), unknown_recall(gold, simple, known)
    f1, simple_f1 = span_scores(expected, found).f1, span_scores(expected, simple).f1
    if corpus.language != CHINESE:  # every word is given, so F1 over words is the share of right tags
        return [
            ("pos", "token accuracy", f1, "most frequent tag", simple_f1),
            ("pos", "unknown-word accuracy", unknown, "most frequent tag", simple_unknown),
        ]
    tagged = "most frequent tag over longest match"
    return [
        *_cut_figures(corpus.train, gold, found),
        ("pos", "word and tag F1", f1, tagged, simple_f1),
        ("pos", "unknown-word recall", unknown, tagged, simple_unknown),
    ]


def _cut_figures(
    train: list[TaggedSentence], gold: list[tuple[Sequence[str], list[Span]]], found: list[list[Span]]
) -> _Figures:
    """Words alone, and of those the ones that the training part does not hold."""
    baseline = LongestMatch(train, fallback="n")
    words = [(text, unlabelled(spans)) for text, spans in gold]
    ours, simple = list(map(unlabelled, found)), [unlabelled(baseline.spans(text)) for text, _ in gold]
    bare, known = [spans for _, spans in words], _known(train)
    match = "longest match in the training lexicon"
    return [
        ("seg", "word F1", span_scores(bare, ours).f1, match, span_scores(bare, simple).f1),
        ("seg", "unknown-word recall", unknown_recall(words, ours, known), match, unknown_recall(words, simple, known)),
    ]


def _known(train: list[TaggedSentence]) -> set[str]:
    """The words of the training part."""
    return {"".join(s.units[start:end]) for s in train for start, end, _ in s.spans}


def _served_spans(tagger: Tagger, texts: list[str], task: str) -> list[list[Span]]:
    """What the served tagger finds in each text."""
    kind, label = ("entities", "label") if task == "ner" else ("tokens", "tag")
    taggings = tagger.predict(texts, task=task)
    return [
        [Span(item["start"], item["end"], item.get(label, "")) for item in tagging[kind]]
        for tagging in taggings
        if not isinstance(tagging, InputError)
    ]
