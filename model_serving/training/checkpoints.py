"""Checkpoints of a training: written whole or not at all, and never unpickled."""

import os
from pathlib import Path
from typing import Any

import torch


def save(state: dict[str, Any], checkpoint: Path) -> None:
    """Put ``state`` in the place of what ``checkpoint`` held; a reader, or a power cut, meets the one or the other."""
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    unfinished = checkpoint.with_suffix(".unfinished")
    with unfinished.open("wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(checkpoint)


def load(checkpoint: Path) -> dict[str, Any]:
    """What :func:`save` wrote."""
    state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
    return state
