"""Draw how the words of a translation attend to those of the text, as the served model tells it.

Usage:
  attention_map.py <model> <source> <target> <text> <file>
  attention_map.py -h | --help

``<source>`` and ``<target>`` are languages, like en and zh. The darker a square, the more the word of its row looks at
the word of its column. The file is an SVG.
"""

import sys
from html import escape
from pathlib import Path
from typing import Any

from docopt import docopt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.svg import breadth, picture
from model_serving.training.__main__ import TRAINABLE
from model_serving.training.translators.training import TranslatorTraining
from model_serving.utils.settings import DATA

SQUARE = 26
"""The side of a square, in pixels."""
INK = "#1f4e79"


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    name, source, target = (arguments[f"<{field}>"] for field in ("model", "source", "target"))
    model = TRAINABLE.get(name)
    if not isinstance(model, TranslatorTraining) or f"{source}-{target}" not in model.variants:
        sys.exit(f"No translator {name} from {source} to {target}")
    served = model.model.load(DATA / model.slug)
    (answer,) = served.predict([arguments["<text>"]], source=source, target=target, attention=True)
    picture = draw(answer["attention"], f"{name}: {answer['translation']}")
    Path(arguments["<file>"]).write_text(picture, encoding="utf-8")


def draw(attention: dict[str, Any], title: str) -> str:
    """The picture of an answer's ``attention``: the text's words stand slanted above, the translation's at the left."""
    read, written, weights = (attention[part] for part in ("source", "target", "weights"))
    left = 16 + round(max(map(breadth, written)))
    top = 16 + round(0.75 * max(map(breadth, read)))
    width, height = left + SQUARE * len(read) + top, top + SQUARE * len(written) + 8
    squares = [
        f'<rect x="{left + SQUARE * column}" y="{top + SQUARE * row}" width="{SQUARE - 1}" height="{SQUARE - 1}" '
        f'fill="{INK}" fill-opacity="{weight:.2f}"/>'
        for row, line in enumerate(weights)
        for column, weight in enumerate(line)
    ]
    above = [
        f'<text transform="translate({left + SQUARE * column + SQUARE // 2 + 4} {top - 6}) rotate(-45)">'
        f"{escape(word)}</text>"
        for column, word in enumerate(read)
    ]
    beside = [
        f'<text x="{left - 8}" y="{top + SQUARE * row + SQUARE // 2 + 5}" text-anchor="end">{escape(word)}</text>'
        for row, word in enumerate(written)
    ]
    return picture(width, height, title, [*squares, *above, *beside])


if __name__ == "__main__":
    main()
