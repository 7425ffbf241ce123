"""Try out what a translator may be made of: each choice for equally many updates, compared on the dev part.

Usage:
  translator_trials.py (attention | subwords) [--stages <n>] [--seed <seed>]
  translator_trials.py -h | --help

Options:
  --stages <n>   Stages of 500 updates for each, some four minutes a stage [default: 2].
  --seed <seed>  Seed of all random choices [default: 1].
  -h --help      Show this text.

``attention`` tries each kind of Luong's attention, ``subwords`` sizes of the Transformer's vocabularies; both from
English into Chinese, by the recipes of the models. An interrupted trial goes on where it was.
"""

import logging.config
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from docopt import docopt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.tables import machine_class, table
from model_serving.models.translators.direction import Direction
from model_serving.models.translators.translator import Translator
from model_serving.training.__main__ import CHECKPOINTS
from model_serving.training.translators import corpus, examples, luong_attention, transformer
from model_serving.training.translators.corpus import SentencePair
from model_serving.training.translators.metrics import bleu
from model_serving.training.translators.optimisation import UPDATES, Training
from model_serving.training.translators.training import VOCABULARY_SIZE, learn_subwords
from model_serving.utils import machine
from model_serving.utils.settings import CONF

VARIANT = "en-zh"
SOURCE, TARGET = VARIANT.split("-")


@dataclass(frozen=True)
class Choice:
    """What is tried: a recipe with changes to its architecture, over so many sub-words a language."""

    name: str
    recipe: ModuleType
    changes: Mapping[str, Any] = field(default_factory=dict)
    subwords: int = VOCABULARY_SIZE


ATTENTION = tuple(
    Choice(f"{score}, {window}", luong_attention, {"score": score, "window": window})
    for score, window in (
        ("dot", "global"),
        ("general", "global"),
        ("concat", "global"),
        ("location", "global"),
        ("general", "monotonic"),
        ("general", "predictive"),
    )
)
"""The rows of the paper's table 4."""
SUBWORDS = tuple(Choice(f"{size:,} sub-words", transformer, subwords=size) for size in (4000, 5000, 8000))


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    logging.config.fileConfig(CONF / "logging.conf", disable_existing_loggers=False)
    torch.set_num_threads(1)
    stages, seed = int(arguments["--stages"]), int(arguments["--seed"])
    parallel = corpus.load()
    tried = [
        try_out(choice, stages, seed, parallel.train, parallel.dev)
        for choice in (ATTENTION if arguments["attention"] else SUBWORDS)
    ]
    print(f"{stages * UPDATES} updates each. {machine_class(machine.processors())}\n")
    rows = [
        [one.choice.name, "", f"{one.bleu:.2f}", f"{one.loss:.3f}", f"{one.minutes:.1f}"]
        for one in sorted(tried, key=lambda one: -one.bleu)
    ]
    print(table(["choice", "", "BLEU on dev", "loss a character", "minutes"], rows))


@dataclass(frozen=True)
class Tried:
    """What became of a choice; ``loss`` is on dev, for each character, for sub-words of other sizes are others."""

    choice: Choice
    bleu: float
    loss: float
    minutes: float


def try_out(choice: Choice, stages: int, seed: int, train: list[SentencePair], dev: list[SentencePair]) -> Tried:
    """Train a choice for so many stages and translate the dev part."""
    source, target = learn_subwords(train, VARIANT, choice.subwords)
    learnt, held_out = (examples.encode(examples.masked(pairs, VARIANT), source, target) for pairs in (train, dev))
    torch.manual_seed(seed)
    network = choice.recipe.BUILD(
        sources=len(source),
        targets=len(target),
        dropout=choice.recipe.DROPOUT,
        **choice.recipe.ARCHITECTURE | choice.changes,
    )
    schedule = replace(choice.recipe.SCHEDULES[VARIANT], stages=stages)
    told_apart = f"trial {len(source)} {len(target)}"
    named = re.sub(r"\W+", "-", choice.name)
    checkpoint = CHECKPOINTS / "trials" / f"{named}-{seed}.pt"
    record = Training(network, schedule, seed, told_apart).run(learnt, held_out, checkpoint)
    read, written = examples.sides(dev, VARIANT)
    served = Translator({(SOURCE, TARGET): Direction(network, source, target)})
    found = [answer["translation"] for answer in served.predict(read, source=SOURCE, target=TARGET)]
    subwords = sum(len(example.target) - 1 for example in held_out)
    characters = sum(map(len, written))
    return Tried(choice, bleu(found, written, TARGET), record["dev_loss"] * subwords / characters, record["minutes"])


if __name__ == "__main__":
    main()
