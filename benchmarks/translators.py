"""Measure how fast a translator answers: one sentence at a time, and many at once.

Usage:
  translators.py [<model>] [--sentences <n>] [--words <n>] [--beam <n>] [--rounds <n>]
  translators.py -h | --help

Options:
  --sentences <n>  How many at once [default: 32].
  --words <n>      Words of each [default: 12].
  --beam <n>       Hypotheses kept of each sentence [default: 4].
  --rounds <n>     How often the two ways take turns; the table holds medians [default: 5].
  -h --help        Show this text.

``<model>`` is Transformer where left out. Runs in process, on one thread, the model as it is served. Both ways must
give the same translations.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import torch
from docopt import docopt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.tables import machine_class, number, table
from model_serving.models.translators.translator import Translator
from model_serving.training.__main__ import TRAINABLE
from model_serving.training.translators.training import TranslatorTraining
from model_serving.utils import machine
from model_serving.utils.settings import DATA

TEXT = (
    "select the file that you want to open and then click on save in order to close all windows of this program "
    "before you print a new page with another name or remove it from the list of recent documents"
)


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    torch.set_num_threads(1)
    count, words, beam, rounds = (int(arguments[f"--{name}"]) for name in ("sentences", "words", "beam", "rounds"))
    name = arguments["<model>"] or "Transformer"
    model = TRAINABLE.get(name)
    if not isinstance(model, TranslatorTraining):
        sys.exit(f"{name} is no translator")
    texts = sentences(count, words)
    served = model.model.load(DATA / model.slug)
    together, one_by_one = measure(served, texts, beam, rounds)
    print(f"{name}, {count} sentences of {words} words, beam {beam}. {machine_class(machine.processors())}\n")
    rows = [
        ["one at a time", number(one_by_one), "1"],
        ["all at once", number(together), number(together / one_by_one)],
    ]
    print(table(["sentences", "a second", "times"], rows))


def sentences(count: int, words: int) -> list[str]:
    """Sentences of so many words, no two alike."""
    known = TEXT.split()
    return [" ".join(known[(first + place) % len(known)] for place in range(words)) for first in range(count)]


def measure(served: Translator, texts: list[str], beam: int, rounds: int) -> tuple[float, float]:
    """Sentences a second of processor time, all at once and one at a time."""

    def translate(some: list[str]) -> list[str]:
        answers = served.predict(some, source="en", target="zh", beam_size=beam)
        return [answer["translation"] for answer in answers]

    def timed(run: Callable[[], list[str]]) -> float:
        began = time.process_time()
        if run() != expected:
            raise RuntimeError("sentences are translated otherwise together than alone")
        return len(texts) / (time.process_time() - began)

    expected = translate(texts)
    ways = [lambda: translate(texts), lambda: [translate([text])[0] for text in texts]]
    found = [[timed(way) for way in ways] for _ in range(rounds)]
    together, alone = (median(rates) for rates in zip(*found, strict=True))
    return together, alone


if __name__ == "__main__":
    main()
