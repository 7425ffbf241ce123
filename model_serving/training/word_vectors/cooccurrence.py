"""How often words stand near each other: what GloVe and WordRank learn from."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from scipy.sparse import coo_array, csr_array
from torch import Tensor

from model_serving.training.word_vectors.text import EncodedText

BATCH = 4096


def count(text: EncodedText, window: int) -> "csr_array[np.float32]":
    """How often each word (row) stands near each other (column), a neighbour d words away counting 1/d.

    Pennington et al., 2014, section 4.2; both sides alike, and no further than the sentence.
    """
    size = len(text.words)
    total = csr_array((size, size), dtype=np.float32)
    for distance in range(1, window + 1):
        same = text.sentences[:-distance] == text.sentences[distance:]
        left, right = text.tokens[:-distance][same].numpy(), text.tokens[distance:][same].numpy()
        weight = np.full(len(left), 1 / distance, dtype=np.float32)
        total = csr_array(total + coo_array((weight, (left, right)), shape=(size, size)))
    return csr_array(total + total.T)


class Cells(NamedTuple):
    """Some cells of the matrix that are not empty: ``words``, ``contexts`` (cells,) int64, ``counts`` (cells,).

    ``places`` (cells,) int64 say which of all cells they are.
    """

    words: Tensor
    contexts: Tensor
    counts: Tensor
    places: Tensor


@dataclass(frozen=True)
class Matrix:
    """All cells that are not empty, in batches."""

    cells: Cells

    @classmethod
    def of(cls, text: EncodedText, window: int) -> "Matrix":
        """The counts of a text."""
        found = count(text, window).tocoo()
        words, contexts = (torch.from_numpy(axis.astype(np.int64)) for axis in found.coords)
        return cls(Cells(words, contexts, torch.from_numpy(found.data), torch.arange(len(words))))

    def epoch(self, random: torch.Generator) -> Iterator[tuple[float, Cells]]:
        """All cells once in random order; with each batch the share of the epoch done after it."""
        order = torch.randperm(len(self.cells.places), generator=random)
        batches = torch.split(order, BATCH)
        for done, places in enumerate(batches, 1):
            words, contexts, counts, _ = self.cells
            yield done / len(batches), Cells(words[places], contexts[places], counts[places], places)
