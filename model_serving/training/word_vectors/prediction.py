"""Learning by predicting words from words: skip-gram and CBOW, with noise or down a tree."""

from typing import Protocol

import torch
from torch import Tensor

from model_serving.models.layers.outputs import Output, first_vectors
from model_serving.models.layers.skipgram import descend
from model_serving.models.word_vectors.subwords import Bags, means
from model_serving.training.word_vectors.windows import Windows


class Input(Protocol):
    """The vectors of words, each in a row of its own or put together of parts."""

    def of(self, rows: Tensor) -> Tensor:
        """The vectors of words: (...) int64 -> (..., size)."""

    def learn(self, rows: Tensor, gradient: Tensor, rate: float) -> None:
        """Move the vectors of words against their gradient."""

    def state(self) -> dict[str, Tensor]:
        """The tensors that learning changes."""


class Rows:
    """Each word has a row of its own.

    Args:
        words: how many.
        size: of the vectors.
        random: where the first vectors come from.
    """

    def __init__(self, words: int, size: int, random: torch.Generator):
        self.vectors = first_vectors(words, size, random)

    def of(self, rows: Tensor) -> Tensor:
        """See :class:`Input`."""
        return self.vectors[rows]

    def learn(self, rows: Tensor, gradient: Tensor, rate: float) -> None:
        """See :class:`Input`."""
        descend(self.vectors, rows, gradient, rate)

    def state(self) -> dict[str, Tensor]:
        """See :class:`Input`."""
        return {"input": self.vectors}


class SkipGram:
    """Predicts the words around from the one in the middle."""

    def __init__(self, words: Input, output: Output):
        self.words = words
        self.output = output

    def learn(self, batch: Windows, rate: float, random: torch.Generator) -> float:
        """See :class:`model_serving.training.word_vectors.schedule.Learner`."""
        hidden = self.words.of(batch.centres)
        loss, gradient = self.output.learn(hidden, batch.contexts, batch.pairs, rate, random)
        self.words.learn(batch.centres, gradient, rate)
        return float(loss / batch.pairs.sum().clamp(min=1))

    def state(self) -> dict[str, Tensor]:
        """See :class:`model_serving.training.word_vectors.schedule.Learner`."""
        return self.words.state() | self.output.state()


class CBOW:
    """Predicts the word in the middle from the mean of those around.

    Each of these moves by the whole gradient of the mean, as in the authors' program, not by its share.
    """

    def __init__(self, words: Input, output: Output):
        self.words = words
        self.output = output

    def learn(self, batch: Windows, rate: float, random: torch.Generator) -> float:
        """See :class:`model_serving.training.word_vectors.schedule.Learner`."""
        around = batch.pairs.sum(2, keepdim=True)
        hidden = batch.pairs @ self.words.of(batch.contexts) / around.clamp(min=1)
        asked = (around > 0).float().flatten(0, 1).unsqueeze(1)
        alone, targets = hidden.flatten(0, 1).unsqueeze(1), batch.centres.reshape(-1, 1)
        loss, gradient = self.output.learn(alone, targets, asked, rate, random)
        spread = batch.pairs.transpose(1, 2) @ gradient.view_as(hidden)
        self.words.learn(batch.contexts, spread, rate)
        return float(loss / asked.sum().clamp(min=1))

    def state(self) -> dict[str, Tensor]:
        """See :class:`model_serving.training.word_vectors.schedule.Learner`."""
        return self.words.state() | self.output.state()


class Composed:
    """Each word is the mean of the rows of its parts.

    All parts of a word move by its whole gradient, as in fastText's program, so the mean moves as fast as a row would;
    a part that many words of a batch share moves as if ``most_words`` did.

    Args:
        chosen: the rows of each word.
        rows: how many there are.
        size: of the vectors.
        random: where the first vectors come from.
        most_words: words of a batch whose gradients a part that they share takes whole.
    """

    def __init__(self, chosen: Bags, rows: int, size: int, random: torch.Generator, most_words: int = 64):
        self.vectors = first_vectors(rows, size, random)
        self._most_words = most_words
        self._rows = chosen.rows
        self._offsets = chosen.offsets
        self._lengths = torch.diff(chosen.offsets, append=torch.tensor([len(chosen.rows)]))

    def of(self, rows: Tensor) -> Tensor:
        """See :class:`Input`."""
        distinct, places = torch.unique(rows, return_inverse=True)
        return means(self.vectors, self._bags(distinct))[places]

    def learn(self, rows: Tensor, gradient: Tensor, rate: float) -> None:
        """See :class:`Input`."""
        distinct, places = torch.unique(rows, return_inverse=True)
        total = torch.zeros(len(distinct), gradient.shape[-1])
        total.index_add_(0, places.flatten(), gradient.flatten(0, -2))
        lengths = self._lengths[distinct]
        moved = self._bags(distinct).rows
        times = torch.bincount(places.flatten()).float().repeat_interleave(lengths)
        sharing = torch.zeros(len(self.vectors)).index_add_(0, moved, times)
        share = (self._most_words / sharing).clamp(max=1)[moved]
        descend(self.vectors, moved, total.repeat_interleave(lengths, dim=0) * share.unsqueeze(1), rate)

    def state(self) -> dict[str, Tensor]:
        """See :class:`Input`."""
        return {"input": self.vectors}

    def _bags(self, words: Tensor) -> Bags:
        lengths = self._lengths[words]
        offsets = lengths.cumsum(0) - lengths
        places = torch.arange(int(lengths.sum())) + (self._offsets[words] - offsets).repeat_interleave(lengths)
        return Bags(self._rows[places], offsets)
