"""Train and measure the taggers: which corpus each variant learns from, and what its card says."""

import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from model_serving.models import artifact
from model_serving.models.taggers.schemes import Span
from model_serving.models.taggers.tagger import Tagger
from model_serving.training.datasets import msra, peoples_daily
from model_serving.training.datasets.corpus import Corpus, TaggedSentence
from model_serving.training.taggers.baselines import LongestMatch
from model_serving.training.taggers.metrics import span_scores, unknown_recall, unlabelled
from model_serving.training.trainable import Metrics

CORPORA = {"zh-pos": peoples_daily, "zh-ner": msra}


@dataclass(frozen=True)
class TaggerTraining:
    """How a tagger is trained and measured: the module of the served model and that of its recipe."""

    model: ModuleType
    recipe: ModuleType
    packages = (peoples_daily.PACKAGE, msra.PACKAGE)
    variants = tuple(CORPORA)

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
            "data": [corpus.source],
            "split": corpus.split,
            "seed": seed,
            "training": record,
            "metrics": [],
        }
        artifact.save(folder, card, labeller.weights(), labeller.vocabulary())
        metrics = self.measure(folder)
        artifact.update_card(folder, metrics=metrics)
        return metrics

    def measure(self, folder: Path) -> Metrics:
        """What the artifact in ``folder`` reaches on the test part of its variant's corpus."""
        stored = self.model.load_labeller(folder)
        return measure(Tagger({"pos": stored, "seg": stored, "ner": stored}), folder.name)


def measure(tagger: Tagger, variant: str) -> Metrics:
    """The metrics of a served tagger on the test part of its variant's corpus, as a card lists them."""
    corpus: Corpus = CORPORA[variant].load()
    texts = [sentence.characters for sentence in corpus.test]
    gold = [sentence.spans for sentence in corpus.test]
    if variant == "zh-ner":
        baseline = LongestMatch(corpus.train)
        found = _spans(tagger, texts, "ner")
        scores = span_scores(gold, found)
        simple = span_scores(gold, map(baseline.spans, texts))
        figures = [
            ("ner", "entity F1", scores.f1, "dictionary of training entities", simple.f1),
            ("ner", "entity precision", scores.precision, "dictionary of training entities", simple.precision),
            ("ner", "entity recall", scores.recall, "dictionary of training entities", simple.recall),
        ]
    else:
        figures = _word_figures(corpus.train, list(zip(texts, gold, strict=True)), _spans(tagger, texts, "pos"))
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


def _word_figures(
    train: list[TaggedSentence], gold: list[tuple[str, list[Span]]], found: list[list[Span]]
) -> list[tuple[str, str, float, str, float]]:
    """Words alone, words with their tags, and the recall of words that the training part does not hold."""
    baseline = LongestMatch(train, fallback="n")
    simple = [baseline.spans(text) for text, _ in gold]
    known = {s.characters[start:end] for s in train for start, end, _ in s.spans}
    words = [(text, unlabelled(spans)) for text, spans in gold]
    expected = [spans for _, spans in gold]
    found_words, simple_words = list(map(unlabelled, found)), list(map(unlabelled, simple))
    match, tagged = "longest match in the training lexicon", "most frequent tag over longest match"
    return [
        (
            "seg",
            "word F1",
            span_scores([spans for _, spans in words], found_words).f1,
            match,
            span_scores([spans for _, spans in words], simple_words).f1,
        ),
        (
            "seg",
            "unknown-word recall",
            unknown_recall(words, found_words, known),
            match,
            unknown_recall(words, simple_words, known),
        ),
        ("pos", "word and tag F1", span_scores(expected, found).f1, tagged, span_scores(expected, simple).f1),
        (
            "pos",
            "unknown-word recall",
            unknown_recall(gold, found, known),
            tagged,
            unknown_recall(gold, simple, known),
        ),
    ]


def _spans(tagger: Tagger, texts: list[str], task: str) -> list[list[Span]]:
    """What the served tagger finds in each text."""
    kind, label = ("entities", "label") if task == "ner" else ("tokens", "tag")
    taggings = tagger.predict(texts, task=task)
    return [[Span(item["start"], item["end"], item[label]) for item in tagging[kind]] for tagging in taggings]
