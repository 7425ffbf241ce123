"""Learning by gradients over blocks of rows, for the methods that squeeze a matrix through a narrow layer."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor

from model_serving.models.graph_vectors.method import Check

ROWS = 64
"""Rows of a step."""
MOST_WORK = 6e10
"""Multiplications of a training, which bound its epochs; some seconds on one processor."""


def epochs(wanted: int, rows: int, weights: int) -> int:
    """How often to go through the rows: as often as ``wanted``, less where that is too much work.

    Args:
        wanted: epochs.
        rows: of the matrix.
        weights: of the network; each row takes about three multiplications for each.
    """
    return max(2, min(wanted, int(MOST_WORK / (3 * rows * weights))))


def learn(
    parameters: Iterable[Tensor],
    loss: Callable[[Tensor], Tensor],
    rows: int,
    *,
    epochs: int,
    rate: float,
    random: torch.Generator,
    check: Check,
) -> None:
    """Change ``parameters`` by Adam so that the loss of blocks of rows (block,) int64 falls, the rate to a tenth."""
    held = list(parameters)
    optimiser = torch.optim.Adam(held, lr=rate)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimiser, 0.1 ** (1 / epochs))
    with torch.enable_grad():
        for parameter in held:
            parameter.requires_grad_(True)
        for _ in range(epochs):
            for block in torch.split(torch.randperm(rows, generator=random), ROWS):
                check()
                optimiser.zero_grad()
                loss(block).backward()  # type: ignore[no-untyped-call]
                optimiser.step()
            schedule.step()
    for parameter in held:
        parameter.requires_grad_(False)


def glorot(columns: int, rows: int, random: torch.Generator) -> Tensor:
    """First weights (columns, rows), uniform (Glorot and Bengio, 2010, equation 16)."""
    bound = (6 / (columns + rows)) ** 0.5
    weights: Tensor = (2 * torch.rand(columns, rows, generator=random) - 1) * bound
    return weights
