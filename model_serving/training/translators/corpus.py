"""The corpus of all translators: four kinds of text, cleaned, deduplicated, with whole groups held out."""

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from model_serving.training.datasets import catalogues, help_pages, hsk, stories
from model_serving.training.datasets.parallel import ParallelSource
from model_serving.training.translators.cleaning import clean

SOURCES = (catalogues.SOURCE, help_pages.SOURCE, stories.SOURCE, hsk.SOURCE)
_INSIGNIFICANT = re.compile(r"[\W_]+")

log = logging.getLogger("datasets")


class SentencePair(NamedTuple):
    """A clean sentence in both languages, and the kind of text it is from."""

    english: str
    chinese: str
    kind: str


@dataclass(frozen=True)
class ParallelCorpus:
    """Three parts that share neither an English nor a Chinese sentence, letter case and punctuation aside."""

    train: list[SentencePair]
    dev: list[SentencePair]
    test: list[SentencePair]
    data: list[dict[str, str]]
    split: str


def load(sources: Iterable[ParallelSource] = SOURCES) -> ParallelCorpus:
    """Read, clean and split every source, and log what each step leaves."""
    sources = list(sources)
    parts: dict[str, list[SentencePair]] = {"train": [], "dev": [], "test": []}
    for source in sources:
        faults: Counter[str] = Counter()
        for pair in source.read():
            for found in clean(pair.english, pair.chinese):
                if isinstance(found, str):
                    faults[found] += 1
                else:
                    parts[source.part_of(pair.group)].append(SentencePair(*found, source.name))
        log.info("%s: left out %s", source.name, ", ".join(f"{many} {why}" for why, many in faults.most_common()))
    _log_sizes("clean", parts)
    train = agreed(parts["train"])
    dev = unseen(agreed(parts["dev"]), train)
    test = unseen(agreed(parts["test"]), train + dev)
    _log_sizes("apart", {"train": train, "dev": dev, "test": test})
    data = [package.card(f"{source.name}: {package.name}") for source in sources for package in source.packages]
    return ParallelCorpus(train, dev, test, data, "held out whole: " + "; ".join(source.split for source in sources))


def agreed(pairs: list[SentencePair]) -> list[SentencePair]:
    """One pair for each English sentence, with the translation most often given to it, at its first place."""
    translations: dict[str, Counter[SentencePair]] = defaultdict(Counter)
    for pair in pairs:
        translations[key(pair.english)][pair] += 1
    return [found.most_common(1)[0][0] for found in translations.values()]


def unseen(pairs: list[SentencePair], known: list[SentencePair]) -> list[SentencePair]:
    """The pairs of which neither side is among those ``known``, nor the Chinese side twice among themselves."""
    english, chinese = {key(pair.english) for pair in known}, {key(pair.chinese) for pair in known}
    found = []
    for pair in pairs:
        if key(pair.english) not in english and key(pair.chinese) not in chinese:
            chinese.add(key(pair.chinese))
            found.append(pair)
    return found


def key(sentence: str) -> str:
    """What two sentences share that differ in letter case, punctuation and space alone."""
    return _INSIGNIFICANT.sub("", sentence.casefold())


def _log_sizes(step: str, parts: dict[str, list[SentencePair]]) -> None:
    for part, pairs in parts.items():
        kinds = Counter(pair.kind for pair in pairs)
        sizes = ", ".join(f"{many} {kind}" for kind, many in kinds.items())
        log.info("%s %s: %d pairs (%s)", step, part, len(pairs), sizes)
