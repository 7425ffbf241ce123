"""Sentences and strings in English and Chinese, and how they are held out."""

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from model_serving.training.datasets.packages import Package


class Pair(NamedTuple):
    """A text in both languages and the application, page or campaign it stands in, which is held out as a whole."""

    english: str
    chinese: str
    group: str


@dataclass(frozen=True)
class ParallelSource:
    """One kind of text.

    ``read`` gives its pairs as they stand in ``packages``, ``part_of`` says whether a group is ``train``, ``dev`` or
    ``test``, and ``split`` says so in words.
    """

    name: str
    packages: tuple[Package, ...]
    read: Callable[[], Iterable[Pair]]
    part_of: Callable[[str], str]
    split: str


def named(dev: set[str], test: set[str]) -> Callable[[str], str]:
    """Hold out the groups named."""
    return lambda group: "test" if group in test else "dev" if group in dev else "train"


def drawn(dev: int, test: int) -> Callable[[str], str]:
    """Hold out so many groups in a hundred, drawn by a hash of their names."""

    def part_of(group: str) -> str:
        drawn_number = zlib.crc32(group.encode()) % 100
        return "test" if drawn_number < test else "dev" if drawn_number < test + dev else "train"

    return part_of
