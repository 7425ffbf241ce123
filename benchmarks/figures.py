"""Write the page of all models: what each is, and every figure of its card.

Usage:
  figures.py [<file>]
  figures.py -h | --help

``<file>`` is docs/models.md where left out.
"""

import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from docopt import docopt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.tables import table
from model_serving.models import artifact
from model_serving.resources import RESOURCES
from model_serving.resources.base import ModelResource
from model_serving.utils.settings import DATA, ROOT

HEADINGS = ("model", "variant", "task", "metric", "data", "value", "baseline")
INTRODUCTION = """# Models

Every model served, with the figures of its card: on held-out data, in points of 100 where it is no distance, perplexity
or ratio, and beside each the simplest answer to the same question. `benchmarks/figures.py` writes this page from the
cards, and `bin/evaluate.sh <Model>` measures one again.
"""


def main() -> None:
    """The command line."""
    file = Path(docopt(__doc__)["<file>"] or ROOT / "docs" / "models.md")
    file.write_text(page(RESOURCES), encoding="utf-8")


def page(resources: Iterable[type[ModelResource]]) -> str:
    """The page of the models, family by family in the order given."""
    return INTRODUCTION + "".join(
        section(family, list(members)) for family, members in groupby(resources, lambda resource: resource.family)
    )


def section(family: str, resources: list[type[ModelResource]]) -> str:
    """What the models of a family are, and their figures."""
    told = "\n".join(f"- **{resource.__name__}**: {resource.summary()}" for resource in resources)
    document = f"{family.replace(' ', '-')}.md"
    rows = table(HEADINGS, [row for resource in resources for row in figures(resource)], words=5)
    return f"\n## {family.capitalize()}\n\n{told}\n\nHow to ask them: [{document}]({document}).\n\n{rows}\n"


def figures(resource: type[ModelResource]) -> Iterator[list[str]]:
    """A row for each metric of a model's cards."""
    for variant, card in artifact.cards(DATA / resource.slug()).items():
        for metric in card["metrics"]:
            words = (metric[key] for key in ("task", "metric", "dataset"))
            values = (f"{value:.2f}" for value in (metric["value"], metric["baseline"]["value"]))
            yield [resource.__name__, variant, *words, *values]


if __name__ == "__main__":
    main()
