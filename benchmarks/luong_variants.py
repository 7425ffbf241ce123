"""Try each kind of Luong's attention for equally many updates, and tell which is left with the smallest loss.

Usage:
  luong_variants.py [--stages <n>] [--seed <seed>]
  luong_variants.py -h | --help

Options:
  --stages <n>   Stages of 500 updates for each, some four minutes a stage [default: 2].
  --seed <seed>  Seed of all random choices [default: 1].
  -h --help      Show this text.

The recipe is that of LuongAttention, from English into Chinese. An interrupted trial goes on where it was.
"""

import logging.config
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from docopt import docopt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.tables import machine_class, table
from model_serving.models.translators.subwords import Subwords
from model_serving.training.__main__ import CHECKPOINTS
from model_serving.training.translators import corpus, examples, luong_attention
from model_serving.training.translators.examples import Example
from model_serving.training.translators.optimisation import UPDATES, Training
from model_serving.training.translators.training import learn_subwords
from model_serving.utils import machine
from model_serving.utils.settings import CONF

VARIANT = "en-zh"
KINDS: tuple[dict[str, Any], ...] = (
    {"score": "dot", "window": "global"},
    {"score": "general", "window": "global"},
    {"score": "concat", "window": "global"},
    {"score": "location", "window": "global"},
    {"score": "general", "window": "monotonic"},
    {"score": "general", "window": "predictive"},
)
"""The rows of the paper's table 4."""


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    logging.config.fileConfig(CONF / "logging.conf", disable_existing_loggers=False)
    torch.set_num_threads(1)
    stages, seed = int(arguments["--stages"]), int(arguments["--seed"])
    parallel = corpus.load()
    source, target = learn_subwords(parallel.train, VARIANT)
    train, dev = (
        examples.encode(examples.masked(pairs, VARIANT), source, target) for pairs in (parallel.train, parallel.dev)
    )
    records = {name(kind): try_out(kind, stages, seed, source, target, train, dev) for kind in KINDS}
    print(f"{stages * UPDATES} updates each. {machine_class(machine.processors())}\n")
    rows = [
        [kind, "", f"{record['dev_loss']:.3f}", f"{record['minutes']:.1f}"]
        for kind, record in sorted(records.items(), key=lambda item: float(item[1]["dev_loss"]))
    ]
    print(table(["attention", "", "loss on dev", "minutes"], rows))


def name(kind: dict[str, Any]) -> str:
    """What a kind is called: ``general, global``."""
    return f"{kind['score']}, {kind['window']}"


def try_out(
    kind: dict[str, Any],
    stages: int,
    seed: int,
    source: Subwords,
    target: Subwords,
    train: list[Example],
    dev: list[Example],
) -> dict[str, Any]:
    """Train one kind for so many stages: the record of its training."""
    torch.manual_seed(seed)
    architecture: dict[str, Any] = {**luong_attention.ARCHITECTURE, **kind}
    network = luong_attention.BUILD(
        sources=len(source), targets=len(target), dropout=luong_attention.DROPOUT, **architecture
    )
    schedule = replace(luong_attention.SCHEDULES["en-zh"], stages=stages)
    checkpoint = CHECKPOINTS / "luong_attention" / f"trial-{kind['score']}-{kind['window']}-{seed}.pt"
    return Training(network, schedule, seed, f"trial {len(source)} {len(target)}").run(train, dev, checkpoint)


if __name__ == "__main__":
    main()
