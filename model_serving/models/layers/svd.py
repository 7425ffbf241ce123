"""The largest singular values and their vectors of a matrix that is only known by its products.

Halko, Martinsson and Tropp, 2011, "Finding structure with randomness", arXiv:0909.4061, algorithms 4.4 and 5.1: block
power iteration from random vectors, made orthogonal in each round, then an exact decomposition in what they span.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

SPARE = 10
"""Directions followed beyond those wanted."""
ROUNDS = 10

Product = Callable[[Tensor], Tensor]


class Decomposition(NamedTuple):
    """``left`` (rows, rank), ``values`` (rank,) falling, ``right`` (columns, rank)."""

    left: Tensor
    values: Tensor
    right: Tensor


def largest(
    multiply: Product, multiply_transposed: Product, columns: int, rank: int, random: torch.Generator
) -> Decomposition:
    """The ``rank`` largest singular values, zero where the matrix has fewer, each pair of vectors with a fixed sign.

    Args:
        multiply: (columns, n) -> (rows, n), the product with the matrix.
        multiply_transposed: (rows, n) -> (columns, n).
        columns: of the matrix.
        rank: how many.
        random: where the first directions come from.
    """
    width = min(rank + SPARE, columns)
    span = torch.linalg.qr(multiply(torch.randn(columns, width, generator=random)))[0]
    for _ in range(ROUNDS if width < columns else 1):
        span = torch.linalg.qr(multiply_transposed(span))[0]
        span = torch.linalg.qr(multiply(span))[0]
    inner = multiply_transposed(span)
    right, values, turn = torch.linalg.svd(inner, full_matrices=False)
    return _cut(span @ turn.T, values, right, rank)


def of_matrix(matrix: Tensor, rank: int, random: torch.Generator) -> Decomposition:
    """The same of a matrix (rows, columns) at hand."""
    return largest(lambda x: matrix @ x, lambda x: matrix.T @ x, matrix.shape[1], rank, random)


def _cut(left: Tensor, values: Tensor, right: Tensor, rank: int) -> Decomposition:
    """The first ``rank``, the largest entry of each left vector positive; zeros where there are not as many."""
    left, values, right = left[:, :rank], values[:rank], right[:, :rank]
    signs = left.gather(0, left.abs().argmax(0, keepdim=True)).sign()
    missing = rank - len(values)
    left, right = (torch.nn.functional.pad(vectors * signs, (0, missing)) for vectors in (left, right))
    return Decomposition(left, torch.nn.functional.pad(values, (0, missing)), right)
