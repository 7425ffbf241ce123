"""The strokes of 6,939 Chinese characters, in the order of writing."""

import re

from model_serving.models.word_vectors.strokes import classes
from model_serving.training.datasets.packages import NpmPackage

PACKAGE = NpmPackage(
    name="cnchar-order",
    version="3.2.6",
    archive="cnchar-order-3.2.6.tgz",
    sha256="98112307108d5815203d6eeafae05fac332f2040433f006782e305e96e729d58",
    licence="MIT, as the package states",
)
_ENTRY = re.compile(r'"?([\u3007-\u9fff])"?:"([a-z]+)"')


def load() -> dict[str, str]:
    """The classes of the strokes of each character."""
    return read(PACKAGE.read("package/cnchar.order.min.js").decode("utf-8"))


def read(script: str) -> dict[str, str]:
    """The entries ``character:"letters"`` of the package's script, a letter a stroke."""
    return {character: classes(letters) for character, letters in _ENTRY.findall(script)}
