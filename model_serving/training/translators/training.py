"""Train and measure the translators, and what their cards say."""

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from model_serving.models import artifact
from model_serving.models.layers.eight_bit import pack
from model_serving.models.translators import direction
from model_serving.models.translators.direction import Direction
from model_serving.models.translators.subwords import Subwords
from model_serving.models.translators.translator import Translator
from model_serving.training.datasets.packages import Package
from model_serving.training.trainable import Metrics
from model_serving.training.translators import corpus, examples, metrics, vocabulary
from model_serving.training.translators.baselines import Lexicon, NearestNeighbour
from model_serving.training.translators.corpus import ParallelCorpus, SentencePair
from model_serving.training.translators.optimisation import Training

VOCABULARY_SIZE = 5000
ALL = "all kinds"

Translate = Callable[[list[str]], list[str]]

log = logging.getLogger("training")


@dataclass(frozen=True)
class TranslatorTraining:
    """How a translator is trained and measured: the module of the served model and that of its recipe."""

    model: ModuleType
    recipe: ModuleType

    @property
    def slug(self) -> str:
        """The name of the model's module."""
        return self.model.__name__.rpartition(".")[2]

    @property
    def packages(self) -> tuple[Package, ...]:
        """What holds the corpus, the same for all."""
        return tuple(package for source in corpus.SOURCES for package in source.packages)

    @property
    def variants(self) -> tuple[str, ...]:
        """The directions: ``en-zh`` is English into Chinese."""
        return tuple(self.recipe.SCHEDULES)

    def train(self, name: str, folder: Path, checkpoint: Path, seed: int) -> Metrics:
        """Train the variant that ``folder`` is named after and write its artifact there."""
        parallel = corpus.load()
        source, target = learn_subwords(parallel.train, folder.name, VOCABULARY_SIZE)
        train, dev = (
            examples.encode(examples.masked(pairs, folder.name), source, target)
            for pairs in (parallel.train, parallel.dev)
        )
        torch.manual_seed(seed)
        network = self.recipe.BUILD(
            sources=len(source), targets=len(target), dropout=self.recipe.DROPOUT, **self.recipe.ARCHITECTURE
        )
        told_apart = hashlib.sha256(source.model + target.model).hexdigest()
        record = Training(network, self.recipe.SCHEDULES[folder.name], seed, told_apart).run(train, dev, checkpoint)
        card: dict[str, Any] = {
            "model": name,
            "variant": folder.name,
            "paper": self.recipe.PAPER,
            "architecture": self.recipe.ARCHITECTURE,
            "data": parallel.data,
            "split": parallel.split,
            "seed": seed,
            "training": record,
            "metrics": [],
        }
        models = {direction.SOURCE: source.model, direction.TARGET: target.model}
        artifact.save(folder, card, pack(network.state_dict()), {}, models)
        measured = self._measure(folder, parallel)
        artifact.update_card(folder, metrics=measured)
        return measured

    def measure(self, folder: Path) -> Metrics:
        """What the artifact in ``folder`` reaches on the test part."""
        return self._measure(folder, corpus.load())

    def _measure(self, folder: Path, parallel: ParallelCorpus) -> Metrics:
        return measure(direction.load(folder, self.recipe.BUILD), folder.name, parallel)


def learn_subwords(pairs: list[SentencePair], variant: str, size: int) -> tuple[Subwords, Subwords]:
    """The sub-words of the source and the target language of a variant, some ``size`` of each."""
    sides = zip(*examples.masked(pairs, variant), strict=True)
    languages = variant.split("-")
    source, target = (
        vocabulary.learn(side, size, spaced=language == "en") for side, language in zip(sides, languages, strict=True)
    )
    return source, target


def measure(way: Direction, variant: str, parallel: ParallelCorpus) -> Metrics:
    """BLEU and chrF on the test part, for each kind of text and all, beside the nearest training sentence's.

    The log has what a word-by-word lexicon reaches too.
    """
    source, target = variant.split("-")
    read, written = examples.sides(parallel.train, variant)
    neighbour = NearestNeighbour(read, written, way.source)
    lexicon = Lexicon(read, written, way.source, way.target)
    translator = Translator({(source, target): way})

    def translate(texts: list[str]) -> list[str]:
        return [answer["translation"] for answer in translator.predict(texts, source=source, target=target)]

    read, written = examples.sides(parallel.test, variant)
    kinds = [pair.kind for pair in parallel.test]
    ours, *simple = (answer(read) for answer in (translate, neighbour.translate, lexicon.translate))
    log.info("BLEU is %s", metrics.signature(target))
    found = []
    for kind in (ALL, *dict.fromkeys(kinds)):
        places = [place for place, other in enumerate(kinds) if kind in (ALL, other)]
        references = [written[place] for place in places]
        for metric, score in metrics.METRICS.items():
            value, *values = (
                round(score([answers[place] for place in places], references, target), 2) for answers in (ours, *simple)
            )
            beside = dict(zip((neighbour.name, lexicon.name), values, strict=True))
            log.info("%s %s %s: %s, %s", variant, kind, metric, value, beside)
            found.append(
                {
                    "task": variant,
                    "dataset": kind,
                    "split": "test",
                    "metric": metric,
                    "value": value,
                    "baseline": {"name": neighbour.name, "value": beside[neighbour.name]},
                }
            )
    return found
