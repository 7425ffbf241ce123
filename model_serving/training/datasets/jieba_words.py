"""The dictionary of jieba: 349,046 Chinese words, of which the lattice's lexicon takes those that our text holds."""

from model_serving.models.taggers.text import fold
from model_serving.training.datasets.packages import PyPIPackage

PACKAGE = PyPIPackage(
    name="jieba",
    version="0.42.1",
    archive="jieba-0.42.1.tar.gz",
    sha256="055ca12f62674fafed09427f176506079bc135638a14e23e25be909131928db2",
    licence="MIT",
)


def load() -> list[str]:
    """Its words of two characters and more, folded, each once."""
    return read(PACKAGE.read("jieba-0.42.1/jieba/dict.txt").decode("utf-8"))


def read(content: str) -> list[str]:
    """The words of lines ``word frequency tag``."""
    words = (fold(line.split(" ")[0]) for line in content.splitlines() if line.strip())
    return [word for word in dict.fromkeys(words) if len(word) > 1 and not word.isspace()]
