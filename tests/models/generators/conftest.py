"""What the tests of generators share: small networks, and a reader of PNG files that owes nothing to Pillow."""

import struct
import zlib
from typing import Any

import pytest
import torch

from model_serving.models.generators import dcgan, gan

SIZES: dict[Any, dict[str, Any]] = {
    gan: {"noise": 6, "generator": [8, 16], "discriminator": [16, 8]},
    dcgan: {"noise": 6, "classes": 3, "generator": [8, 4], "discriminator": [4, 8]},
}


@pytest.fixture(params=SIZES, ids=lambda model: model.__name__.rpartition(".")[2])
def model(request):
    return request.param


@pytest.fixture
def architecture(model):
    return SIZES[model]


@pytest.fixture
def networks(model, architecture):
    torch.manual_seed(5)
    networks = model.build(architecture).eval().requires_grad_(False)
    for weights in networks.parameters():
        if weights.ndim == 4:
            weights.mul_(20)  # fresh ones draw nothing but grey
    return networks


@pytest.fixture(scope="session")
def decode_png():
    return _decode_png


def _decode_png(content):
    """Rows of a PNG file of 8 bits a sample, each a list of samples, by the specification's sections 5 to 9."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, place = [], 8
    while place < len(content):
        size, kind = struct.unpack_from(">I4s", content, place)
        body = content[place + 8 : place + 8 + size]
        assert struct.unpack_from(">I", content, place + 8 + size)[0] == zlib.crc32(kind + body)
        chunks.append((kind, body))
        place += size + 12
    assert {kind for kind, _ in chunks} == {b"IHDR", b"IDAT", b"IEND"}, "no time stamp, no text"
    width, height, depth, colour, *methods = struct.unpack(">IIBBBBB", chunks[0][1])
    assert (depth, methods) == (8, [0, 0, 0])
    samples = {0: 1, 2: 3}[colour]
    data = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    stride = width * samples
    assert len(data) == height * (stride + 1)
    rows, above = [], [0] * stride
    for row in range(height):
        line = data[row * (stride + 1) : (row + 1) * (stride + 1)]
        above = _unfilter(line[0], line[1:], above, samples)
        rows.append(above)
    return rows


def _unfilter(kind, line, above, samples):
    row: list[int] = []
    for place, value in enumerate(line):
        left = row[place - samples] if place >= samples else 0
        corner = above[place - samples] if place >= samples else 0
        guess = left + above[place] - corner
        paeth = min((left, above[place], corner), key=lambda known: abs(guess - known))
        row.append((value + [0, left, above[place], (left + above[place]) // 2, paeth][kind]) % 256)
    return row
