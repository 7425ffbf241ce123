import gzip
import struct

import pytest
import torch

from model_serving.training.datasets import mnist, packages
from model_serving.training.datasets.packages import DatasetError


def idx(values, kind=8):
    return struct.pack(f">HBB{values.dim()}I", 0, kind, values.dim(), *values.shape) + bytes(values.flatten().tolist())


@pytest.mark.parametrize("shape", [(5,), (3, 4, 2), (1, 28, 28)])
def test_an_array_is_read_as_it_was_written(shape):
    values = torch.randint(0, 256, shape, generator=torch.Generator().manual_seed(1)).to(torch.uint8)
    assert torch.equal(mnist.read_idx(idx(values)), values)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0\0\x08",
        b"\x1f\x8b\x08\x01" + bytes(8),
        idx(torch.zeros(4, dtype=torch.uint8), kind=13),
        idx(torch.zeros(4, dtype=torch.uint8))[:-1],
        idx(torch.zeros(4, dtype=torch.uint8)) + b"\0",
        b"\0\0\x08\x03\0\0\0\x01",
    ],
)
def test_what_is_no_such_array_is_refused(content):
    with pytest.raises(DatasetError):
        mnist.read_idx(content)


@pytest.mark.parametrize("variant", ["mnist", "fashion-mnist"])
def test_both_parts_come_from_the_package(monkeypatch, variant):
    dataset = mnist.DATASETS[variant]
    parts = {"train": 3, "t10k": 2}
    contents = {}
    for part, count in parts.items():
        for name, shape in (("images-idx3", (count, 28, 28)), ("labels-idx1", (count,))):
            content = idx(torch.full(shape, count, dtype=torch.uint8))
            packed = gzip.compress(content) if variant == "fashion-mnist" else content
            contents[f"{dataset.path}{part}-{name}-ubyte{dataset.suffix}"] = packed
    monkeypatch.setattr(packages.Package, "read", lambda _, member: contents[member])
    data = dataset.load()
    assert (data.train.pixels.shape, data.test.pixels.shape) == ((3, 28, 28), (2, 28, 28))
    assert (data.train.labels.tolist(), data.test.labels.tolist()) == ([3] * 3, [2] * 2)
    assert data.train.labels.dtype == torch.int64
    assert len(data.classes) == 10
    assert data.source["sha256"] == dataset.package.sha256
