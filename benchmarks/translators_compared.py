"""Compare the trained translators on the same test sentences: quality, size, speed, and BLEU by length.

Usage:
  translators_compared.py [<model>...] [--beam <n>] [--sentences <n>] [--plot <file>]
  translators_compared.py -h | --help

Options:
  --beam <n>       Hypotheses kept of each sentence [default: 4].
  --sentences <n>  Take so many of the test part, evenly spread; else all.
  --plot <file>    Draw BLEU by the length of the sentence, as an SVG.
  -h --help        Show this text.

All models trained from English into Chinese, or those named. Runs in process, on one thread, the models as they are
served; speed counts sub-words written in a second of processor time.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from docopt import docopt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.svg import picture
from benchmarks.tables import machine_class, number, table
from model_serving.models import artifact
from model_serving.models.layers.eight_bit import unpack
from model_serving.models.translators import direction
from model_serving.models.translators.translator import Translator
from model_serving.training.__main__ import TRAINABLE
from model_serving.training.translators import corpus
from model_serving.training.translators.metrics import bleu, chrf
from model_serving.training.translators.training import TranslatorTraining
from model_serving.utils import machine
from model_serving.utils.settings import DATA

VARIANT = "en-zh"
SOURCE, TARGET = VARIANT.split("-")
LENGTHS = (1, 4, 7, 11, 16, 22)
"""English words with which a class of lengths begins."""
HEADINGS = ("model", "reads into", "BLEU", "chrF2", "MiB", "million weights", "sub-words a second")
COLOURS = ("#c0392b", "#e59866", "#7d3c98", "#2471a3", "#1e8449", "#17202a")
WIDTH, HEIGHT, MARGIN, LEGEND = 720, 360, 50, 230


@dataclass(frozen=True)
class Measured:
    """What a model wrote for the test sentences, and what it took.

    ``subwords`` of all translations were written in ``seconds`` of processor time; ``size`` is that of the artifact in
    MiB, ``parameters`` are in millions.
    """

    translations: list[str]
    subwords: int
    seconds: float
    size: float
    parameters: float


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    torch.set_num_threads(1)
    names = arguments["<model>"] or trained()
    strange = [name for name in names if name not in trained()]
    if strange:
        sys.exit(f"{', '.join(strange)}: not trained for {VARIANT}; there are {', '.join(trained())}")
    test = corpus.load().test
    wanted = min(int(arguments["--sentences"] or len(test)), len(test))
    test = [test[place * len(test) // wanted] for place in range(wanted)]
    sources, references = [pair.english for pair in test], [pair.chinese for pair in test]
    found = {name: measure(name, sources, int(arguments["--beam"])) for name in names}
    print(f"{len(test)} sentences, beam {arguments['--beam']}. {machine_class(machine.processors())}\n")
    print(table(HEADINGS, rows(found, references)))
    lengths = by_length(sources, references, {name: one.translations for name, one in found.items()})
    headings = [f"{label} ({count})" for label, count in classes(sources).items()]
    print("\nBLEU by English words, with the number of sentences:\n")
    print(table(["model", "", *headings], [[name, "", *map(number, values)] for name, values in lengths.items()]))
    if arguments["--plot"]:
        Path(arguments["--plot"]).write_text(draw(lengths, list(classes(sources))), encoding="utf-8")


def trained() -> list[str]:
    """The translators with an artifact."""
    return [
        name
        for name, model in TRAINABLE.items()
        if isinstance(model, TranslatorTraining) and (DATA / model.slug / VARIANT / artifact.CARD).exists()
    ]


def measure(name: str, sources: list[str], beam: int) -> Measured:
    """Translate the sentences with a trained model."""
    folder = DATA / TRAINABLE[name].slug / VARIANT
    way = direction.load(folder, _recipe(name).BUILD)
    weights = sum(tensor.numel() for tensor in unpack(artifact.load(folder).weights).values())
    translations, seconds = timed(Translator({(SOURCE, TARGET): way}), sources, beam)
    return Measured(
        translations,
        sum(len(way.target.encode(translation)[0]) for translation in translations),
        seconds,
        sum(path.stat().st_size for path in folder.iterdir()) / 2**20,
        weights / 1e6,
    )


def timed(served: Translator, sources: list[str], beam: int) -> tuple[list[str], float]:
    """Translations, and the seconds of processor time that they took after a few to warm up."""
    served.predict(sources[:8], source=SOURCE, target=TARGET, beam_size=beam)
    began = time.process_time()
    answers = served.predict(sources, source=SOURCE, target=TARGET, beam_size=beam)
    return [answer["translation"] for answer in answers], time.process_time() - began


def rows(found: Mapping[str, Measured], references: list[str]) -> list[list[str]]:
    """A line of the table for each model, the best first."""
    scored = {name: bleu(one.translations, references, TARGET) for name, one in found.items()}
    return [
        [
            name,
            "a vector a word" if attentive(name) else "one vector",
            f"{scored[name]:.2f}",
            f"{chrf(one.translations, references, TARGET):.2f}",
            f"{one.size:.1f}",
            f"{one.parameters:.1f}",
            number(one.subwords / one.seconds),
        ]
        for name, one in sorted(found.items(), key=lambda item: -scored[item[0]])
    ]


def classes(sources: list[str]) -> dict[str, int]:
    """The classes of lengths by what they are called, with the number of sentences of each that has any."""
    counts: dict[str, int] = {}
    for place in sorted(map(_class, sources)):
        first, after = LENGTHS[place], LENGTHS[place + 1 : place + 2]
        label = f"{first} to {after[0] - 1}" if after else f"from {first}"
        counts[label] = counts.get(label, 0) + 1
    return counts


def by_length(
    sources: list[str], references: list[str], translations: Mapping[str, list[str]]
) -> dict[str, list[float]]:
    """Each model's BLEU for each class of lengths that has a sentence."""
    places = sorted(set(map(_class, sources)))
    members = [[row for row, source in enumerate(sources) if _class(source) == place] for place in places]
    return {
        name: [bleu([written[row] for row in some], [references[row] for row in some], TARGET) for some in members]
        for name, written in translations.items()
    }


def draw(lengths: Mapping[str, Sequence[float]], labels: Sequence[str]) -> str:
    """A line for each model, over the classes of lengths."""
    top = max(10, *(value for values in lengths.values() for value in values))
    right, bottom = WIDTH - LEGEND, HEIGHT - MARGIN
    step = (right - MARGIN) / max(1, len(labels) - 1)

    def at(place: int, value: float) -> tuple[float, float]:
        return MARGIN + place * step, bottom - value / top * (bottom - MARGIN)

    parts = [f'<text x="{MARGIN}" y="{MARGIN - 22}">BLEU by the words of the English sentence</text>']
    for value in range(0, int(top) + 1, 10):
        _, y = at(0, value)
        parts.append(f'<path d="M{MARGIN} {y:.0f}H{right}" stroke="#d5d8dc"/>')
        parts.append(f'<text x="{MARGIN - 8}" y="{y + 5:.0f}" text-anchor="end">{value}</text>')
    for place, label in enumerate(labels):
        parts.append(f'<text x="{at(place, 0)[0]:.0f}" y="{bottom + 24}" text-anchor="middle">{label}</text>')
    ranked = sorted(lengths, key=lambda name: -lengths[name][-1])
    for row, name in enumerate(ranked):
        colour = COLOURS[list(lengths).index(name) % len(COLOURS)]
        dashed = "" if attentive(name) else ' stroke-dasharray="6 4"'
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in enumerate(lengths[name])))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>')
        y = MARGIN + 10 + 24 * row
        parts.append(f'<path d="M{right + 16} {y}h24" stroke="{colour}" stroke-width="2"{dashed}/>')
        parts.append(f'<text x="{right + 46}" y="{y + 5}" fill="{colour}">{name}</text>')
    return picture(WIDTH, HEIGHT, "BLEU by length; dashed: without attention", parts)


def _class(source: str) -> int:
    """The number of a sentence's class."""
    return max(place for place, first in enumerate(LENGTHS) if first <= max(1, len(source.split())))


def attentive(name: str) -> bool:
    """Whether a model looks at the source while it writes."""
    return hasattr(_recipe(name).BUILD, "attention")


def _recipe(name: str) -> Any:
    model: Any = TRAINABLE[name]
    return model.recipe


if __name__ == "__main__":
    main()
