"""The file formats of the word2vec program, text and binary, which all tools for word vectors read and write.

Both begin with a line ``<words> <size>``. In text each word has a line with its numbers; in binary its numbers follow
it as little-endian float32. Words hold no white space in these formats, so a space inside a word is written as ``_``.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import torch
from torch import Tensor

LONGEST_WORD = 1000
"""Bytes; a file with longer ones is no such file, and would be read to its end in search of a space."""


class FormatError(ValueError):
    """A file that is not in the format; the message names the place."""


class Vectors(NamedTuple):
    """Words and their vectors (words, size) float32."""

    words: list[str]
    vectors: Tensor


def read(path: Path, *, binary: bool) -> Vectors:
    """Read a file; a word that comes again keeps its first vector.

    Raises:
        FormatError: the file is broken off, of another format, or holds numbers that are not finite.
    """
    with path.open("rb") as file:
        number, size = _header(file, path)
        entries = _binary_entries(file, size) if binary else _text_entries(file, size)
        found: dict[str, np.ndarray] = {}
        for place in range(number):
            try:
                word, vector = next(entries)
            except (StopIteration, ValueError) as error:
                reason = str(error) or "the file ends"
                raise FormatError(f"{path}: vector {place + 1} of {number} can not be read: {reason}") from error
            if not np.isfinite(vector).all():
                raise FormatError(f"{path}: vector {place + 1} holds a number that is not finite")
            found.setdefault(word, vector)
    return Vectors(list(found), torch.from_numpy(np.stack(list(found.values()))))


def write(path: Path, words: list[str], vectors: Tensor, *, binary: bool) -> None:
    """Write words and their vectors (words, size)."""
    table = vectors.float().numpy().astype("<f4")
    with path.open("wb") as file:
        file.write(f"{len(words)} {table.shape[1]}\n".encode())
        for word, vector in zip(words, table, strict=True):
            file.write("_".join(word.split()).encode() + b" ")
            file.write(vector.tobytes() if binary else " ".join(map(repr, vector.tolist())).encode())
            file.write(b"\n")


def _header(file: BinaryIO, path: Path) -> tuple[int, int]:
    try:
        number, size = map(int, file.readline(100).split())
    except ValueError as error:
        raise FormatError(f"{path} does not begin with the numbers of words and of dimensions") from error
    if number < 1 or not 1 <= size <= 10_000:
        raise FormatError(f"{path} promises {number} words in {size} dimensions")
    return number, size


def _text_entries(file: BinaryIO, size: int) -> Iterator[tuple[str, np.ndarray]]:
    for line in file:
        word, *numbers = line.rstrip().rsplit(b" ", size)
        if len(numbers) != size:
            raise ValueError(f"{len(numbers)} numbers, not {size}")
        yield word.decode("utf-8"), np.array(numbers, dtype=np.float32)


def _binary_entries(file: BinaryIO, size: int) -> Iterator[tuple[str, np.ndarray]]:
    while True:
        word = bytearray()
        while (byte := file.read(1)) != b" ":
            if not byte or len(word) > LONGEST_WORD:
                raise ValueError("no space after a word")
            word += byte
        content = file.read(4 * size)
        if len(content) < 4 * size:
            raise ValueError("the file ends")
        yield word.lstrip(b"\n").decode("utf-8"), np.frombuffer(content, dtype="<f4").astype(np.float32)
