"""A space of vectors of words or nodes: what is where, and what is near."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import torch
from torch import Tensor
from torch.nn.functional import normalize

DECIMALS = 6
"""Scores are rounded to these, and equal ones ordered by the frequency of the word."""
_SPARE = 16
"""Candidates looked at beyond those asked for; float32 leaves open which of near equals is ahead."""
_TOLERANCE = 1e-5

Compose = Callable[[str], Tensor | None]
Neighbour = tuple[int, float]


class Names(Protocol):
    """What the vectors stand for."""

    symbols: list[str]
    """The names in the order of rows."""

    def __len__(self) -> int:
        """How many there are."""

    def row(self, name: str) -> int | None:
        """The row of a name, or None."""


class Place(NamedTuple):
    """Where a word is: its ``row`` where it is in the vocabulary, and its ``vector`` (size,) where it has one."""

    row: int | None
    vector: Tensor | None


def cosine(products: Tensor) -> Tensor:
    """The cosine to the only query vector: (queries, 1, words) -> (queries, words)."""
    return products.squeeze(1)


class Space:
    """Words and their vectors.

    Args:
        words: the vocabulary, most frequent first.
        vectors: (words, size) float32.
        compose: makes the vector of a word outside the vocabulary from its parts, where the model can.
    """

    def __init__(self, words: Names, vectors: Tensor, compose: Compose | None = None):
        self.words = words
        self.unit = normalize(vectors, dim=1)
        self._norms = vectors.norm(dim=1)
        self._compose = compose

    def find(self, word: str) -> Place:
        """The place of a word, in whatever case or width it is written."""
        row = self.words.row(word)
        if row is not None:
            return Place(row, self.vectors(row))
        return Place(None, self._compose(word) if self._compose else None)

    def vectors(self, rows: int | slice = slice(None)) -> Tensor:
        """The vectors of words in their own lengths, all of them or some: (words, size)."""
        found: Tensor = self.unit[rows] * self._norms[rows].unsqueeze(-1)
        return found

    def nearest(
        self,
        queries: Tensor,
        top: int,
        excluded: Sequence[Sequence[int]],
        among: Tensor | None = None,
        combine: Callable[[Tensor], Tensor] = cosine,
    ) -> list[list[Neighbour]]:
        """The best words for each query, by one matrix product; exact, whatever else is in the batch.

        Args:
            queries: (queries, vectors, size), unit vectors, or zero.
            top: how many words, fewer where there are not as many.
            excluded: rows that may not answer a query.
            among: rows that alone may answer, in rising order; left out, all.
            combine: makes scores (queries, words) of products with the vectors of a query (queries, vectors, words).

        Returns:
            Rows with scores, best first, equal scores in the order of rows.
        """
        table = self.unit if among is None else self.unit[among]
        top = min(top, len(table))
        if not top:
            return [[] for _ in excluded]
        scores = combine((queries.flatten(0, 1) @ table.T).view(*queries.shape[:2], len(table)))
        for number, rows in enumerate(excluded):
            scores[number, _columns(rows, among)] = -torch.inf
        best = scores.topk(min(top + _SPARE, len(table)), sorted=True)
        least = best.values[:, top - 1] - _TOLERANCE * best.values[:, top - 1].abs().clamp(min=1)
        answers = self._rank(queries, table, best.indices, best.values, combine)
        if best.indices.shape[1] < len(table):
            crowded = (best.values[:, -1] >= least).nonzero().flatten().tolist()
            for number in crowded:  # more near equals than were looked at
                candidates = (scores[number] >= least[number]).nonzero().T
                one = slice(number, number + 1)
                answers[number] = self._rank(queries[one], table, candidates, scores[one][:, candidates[0]], combine)[0]
        rows = range(len(table)) if among is None else among.tolist()
        return [[(rows[column], score) for column, score in answer[:top]] for answer in answers]

    def _rank(
        self,
        queries: Tensor,
        table: Tensor,
        candidates: Tensor,
        scores: Tensor,
        combine: Callable[[Tensor], Tensor],
    ) -> list[list[Neighbour]]:
        """Order candidates (queries, n) by scores computed anew in double precision, leaving out the excluded."""
        candidates, order = candidates.sort(dim=1)
        products = torch.einsum("qvs,qns->qvn", queries.double(), table[candidates].double()).clamp(-1, 1)
        exact = combine(products).mul(10**DECIMALS).round().div(10**DECIMALS)
        exact[scores.gather(1, order) == -torch.inf] = -torch.inf
        exact, order = exact.sort(dim=1, descending=True, stable=True)
        columns = candidates.gather(1, order)
        return [
            [(column, score) for column, score in zip(found, scored, strict=True) if score != -torch.inf]
            for found, scored in zip(columns.tolist(), exact.tolist(), strict=True)
        ]


def _columns(rows: Sequence[int], among: Tensor | None) -> list[int]:
    """Where rows stand in the table of those searched."""
    if among is None:
        return list(rows)
    places = {row: column for column, row in enumerate(among.tolist())}
    return [places[row] for row in rows if row in places]
