"""Pictures as tensors, as files, and many of them on one sheet."""

import io
import math

import numpy as np
import torch
from PIL import Image
from torch import Tensor

GAP = 2
"""White pixels between and around the pictures of a sheet."""


def to_signed(pixels: Tensor) -> Tensor:
    """Grey pixels (batch, height, width) uint8 -> what networks draw and read: (batch, 1, height, width) in -1..1."""
    return pixels.unsqueeze(1).float() / 127.5 - 1


def to_pixels(drawn: Tensor) -> Tensor:
    """What a network has drawn to uint8 of the same shape: -1 and below is 0, 0 is 128, 1 and above is 255.

    Raises:
        ArithmeticError: a value is not a number.
    """
    if drawn.isnan().any():
        raise ArithmeticError("The network drew values that are not numbers")
    return ((drawn.clamp(-1, 1) + 1) * 127.5).round().to(torch.uint8)


def png(pixels: Tensor) -> bytes:
    """A PNG file, the same bytes each time, of grey (height, width) or red, green and blue (height, width, 3) uint8."""
    file = io.BytesIO()
    Image.fromarray(pixels.numpy()).save(file, "PNG")
    return file.getvalue()


def from_png(content: bytes) -> Tensor:
    """The pixels of a file that :func:`png` wrote."""
    with Image.open(io.BytesIO(content)) as image:
        return torch.from_numpy(np.array(image))


def sheet(pictures: list[Tensor], columns: int | None = None) -> Tensor:
    """Pictures of one size side by side, row by row, on white; about as many rows as columns if not said otherwise."""
    columns = columns or math.ceil(math.sqrt(len(pictures)))
    rows = -(-len(pictures) // columns)
    height, width, *colours = pictures[0].shape
    whole = torch.full((rows * (height + GAP) + GAP, columns * (width + GAP) + GAP, *colours), 255, dtype=torch.uint8)
    for place, picture in enumerate(pictures):
        top, left = GAP + place // columns * (height + GAP), GAP + place % columns * (width + GAP)
        whole[top : top + height, left : left + width] = picture
    return whole
