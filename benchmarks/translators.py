"""Measure how fast a translator answers: one sentence at a time, and many at once.

Usage:
  translators.py [<model>] [--sentences <n>] [--words <n>] [--beam <n>] [--rounds <n>] [--joeynmt]
  translators.py -h | --help

Options:
  --sentences <n>  How many at once [default: 32].
  --words <n>      Words of each [default: 12].
  --beam <n>       Hypotheses kept of each sentence [default: 4].
  --rounds <n>     How often the two ways take turns; the table holds medians [default: 5].
  --joeynmt        Let JoeyNMT take a turn too, with the Transformer's weights; the first time its environment is made.
  -h --help        Show this text.

``<model>`` is Transformer where left out. Runs in process, on one thread and with memory kept, the model as it is
served. Both ways must give the same translations; JoeyNMT's differ a little where the beam is wider than 1, for it
ranks them otherwise.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import torch
from docopt import docopt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import environment, processes
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

ALONE, TOGETHER = "one at a time", "all at once"

Peer = Callable[[list[str]], float]
"""Translates sentences and gives the seconds of processor time it took."""


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    torch.set_num_threads(1)
    machine.steady_memory()
    count, words, beam, rounds = (int(arguments[f"--{name}"]) for name in ("sentences", "words", "beam", "rounds"))
    name = arguments["<model>"] or "Transformer"
    model = TRAINABLE.get(name)
    if not isinstance(model, TranslatorTraining):
        sys.exit(f"{name} is no translator")
    if arguments["--joeynmt"] and name != "Transformer":
        sys.exit(f"JoeyNMT has a Transformer like ours, and no {name}")
    texts = sentences(count, words)
    served = model.model.load(DATA / model.slug)
    print(f"{name}, {count} sentences of {words} words, beam {beam}. {machine_class(machine.processors())}\n")
    if arguments["--joeynmt"]:
        with joeynmt(beam) as peer:
            rates = measure(served, texts, beam, rounds, peer)
    else:
        rates = measure(served, texts, beam, rounds)
    slowest = rates[ALONE]
    rows = [[way, number(rate), number(rate / slowest)] for way, rate in rates.items()]
    print(table(["sentences", "a second", "times"], rows))


def sentences(count: int, words: int) -> list[str]:
    """Sentences of so many words, no two alike."""
    known = TEXT.split()
    return [" ".join(known[(first + place) % len(known)] for place in range(words)) for first in range(count)]


def measure(served: Translator, texts: list[str], beam: int, rounds: int, peer: Peer | None = None) -> dict[str, float]:
    """Sentences a second of processor time, all at once and one at a time, and all at once by a peer."""

    def translate(some: list[str]) -> list[str]:
        answers = served.predict(some, source="en", target="zh", beam_size=beam)
        return [answer["translation"] for answer in answers]

    def timed(run: Callable[[], list[str]]) -> float:
        began = time.process_time()
        if run() != expected:
            raise RuntimeError("sentences are translated otherwise together than alone")
        return time.process_time() - began

    expected = translate(texts)
    ways: dict[str, Callable[[], float]] = {
        ALONE: lambda: timed(lambda: [translate([text])[0] for text in texts]),
        TOGETHER: lambda: timed(lambda: translate(texts)),
    }
    if peer:
        ways["all at once, JoeyNMT"] = lambda: peer(texts)
    found = [{way: len(texts) / seconds() for way, seconds in ways.items()} for _ in range(rounds)]
    return {way: median(rates[way] for rates in found) for way in ways}


@contextmanager
def joeynmt(beam: int) -> Iterator[Peer]:
    """JoeyNMT with our weights in a process of its own."""
    environment.make("joeynmt")
    program = [str(environment.python("joeynmt")), "-m", "benchmarks.peers.joeynmt_translator", "en-zh", str(beam)]
    with processes.running(program, pipes=True) as session:

        def translate(texts: list[str]) -> float:
            session.write_line(json.dumps(texts))
            return float(json.loads(session.read_line())["seconds"])

        yield translate


if __name__ == "__main__":
    main()
