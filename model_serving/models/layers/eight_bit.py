"""Weights in eight bits: whole numbers from -127 to 127, with one scale a row.

Jacob et al., 2018, "Quantization and training of neural networks for efficient integer-arithmetic-only inference",
arXiv:1712.05877, section 2.1, symmetric and for storage alone: a network computes with the floats it is filled with.
"""

import torch
from torch import Tensor

_SCALE = ".scale"
_MOST = 127


def round_rows(tensor: Tensor) -> tuple[Tensor, Tensor]:
    """(rows, ...) floats -> int8 and (rows,) scales: each row in steps of its largest entry over 127."""
    scales = (tensor.flatten(1).abs().amax(1) / _MOST).clamp(min=torch.finfo(torch.float32).tiny)
    return (tensor / _rows(scales, tensor)).round().to(torch.int8), scales


def restore_rows(steps: Tensor, scales: Tensor) -> Tensor:
    """The floats that :func:`round_rows` was given, each within half a step."""
    return steps.float() * _rows(scales, steps)


def pack(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Tensors of two and more dimensions as int8, each with its scales beside it; the others as they are."""
    packed = {}
    for name, tensor in weights.items():
        if tensor.ndim < 2:
            packed[name] = tensor
            continue
        packed[name], packed[name + _SCALE] = round_rows(tensor)
    return packed


def pack_tables(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """A network's embeddings as int8 with their scales, its other tensors in half precision."""
    tables = {name: tensor for name, tensor in weights.items() if name.endswith("embedding.weight")}
    return pack(tables) | {name: tensor.half() for name, tensor in weights.items() if name not in tables}


def unpack(packed: dict[str, Tensor]) -> dict[str, Tensor]:
    """The tensors that :func:`pack` was given, each value within half a step of its row."""
    return {
        name: restore_rows(tensor, packed[name + _SCALE]) if tensor.dtype == torch.int8 else tensor
        for name, tensor in packed.items()
        if not name.endswith(_SCALE)
    }


def _rows(scale: Tensor, tensor: Tensor) -> Tensor:
    return scale.reshape(-1, *[1] * (tensor.ndim - 1))
