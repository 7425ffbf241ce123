"""Learning by predicting words from words: skip-gram and CBOW, with noise or down a tree."""

from typing import Protocol

import torch
from torch import Tensor

from model_serving.models.layers.huffman import Paths
from model_serving.models.layers.skipgram import descend, hierarchical_softmax, negative_sampling
from model_serving.models.word_vectors.subwords import Bags, means
from model_serving.training.word_vectors.noise import Noise
from model_serving.training.word_vectors.windows import Windows

SHARED_NOISE = 128
"""Words of noise drawn for a batch."""
MOST_MOVES = 512
"""Pairs whose gradients a node of the tree takes whole in one step."""


class Output(Protocol):
    """What is predicted, and how wrong it was."""

    def learn(
        self, hidden: Tensor, targets: Tensor, pairs: Tensor, rate: float, random: torch.Generator
    ) -> tuple[Tensor, Tensor]:
        """Take a step.

        Args:
            hidden: (blocks, n, size).
            targets: (blocks, m) rows of words.
            pairs: (blocks, n, m), how often the target is to be predicted from the hidden vector.
            rate: the learning rate.
            random: where chance comes from.

        Returns:
            The loss, and the gradient of ``hidden``.
        """

    def state(self) -> dict[str, Tensor]:
        """The tensors that learning changes."""


class NoiseOutput:
    """Tells the target from noise.

    Args:
        counts: (words,).
        size: of the vectors.
        negatives: words of noise for each target.
    """

    def __init__(self, counts: Tensor, size: int, negatives: int = 5):
        self.vectors = torch.zeros(len(counts), size)
        self.negatives = negatives
        self._noise = Noise(counts)

    def learn(
        self, hidden: Tensor, targets: Tensor, pairs: Tensor, rate: float, random: torch.Generator
    ) -> tuple[Tensor, Tensor]:
        """See :class:`Output`."""
        drawn = self._noise.draw(SHARED_NOISE, random)
        step, of_noise = negative_sampling(hidden, self.vectors[targets], pairs, self.vectors[drawn], self.negatives)
        descend(self.vectors, targets, step.outputs, rate)
        descend(self.vectors, drawn, of_noise, rate)
        return step.loss, step.inputs

    def state(self) -> dict[str, Tensor]:
        """See :class:`Output`."""
        return {"output": self.vectors}


class TreeOutput:
    """Goes down the tree to the target.

    Every way passes the root, so it would move by the sum of a batch's pairs; a node moves by ``MOST_MOVES`` at most.

    Args:
        paths: the tree.
        size: of the vectors.
    """

    def __init__(self, paths: Paths, size: int):
        self.vectors = torch.zeros(len(paths.nodes), size)
        self._paths = paths

    def learn(
        self, hidden: Tensor, targets: Tensor, pairs: Tensor, rate: float, random: torch.Generator
    ) -> tuple[Tensor, Tensor]:
        """See :class:`Output`."""
        nodes, turns = self._paths.nodes[targets], self._paths.turns[targets]
        step = hierarchical_softmax(hidden, self.vectors[nodes], turns, pairs)
        passing = pairs.sum(1).unsqueeze(2) * turns.abs()
        descend(self.vectors, nodes, step.outputs * self._share(nodes, passing).unsqueeze(3), rate)
        return step.loss, step.inputs

    def _share(self, nodes: Tensor, passing: Tensor) -> Tensor:
        """How much of their gradients nodes (blocks, m, depth) move by, with so many pairs ``passing`` each."""
        total = passing.new_zeros(len(self.vectors)).index_add_(0, nodes.flatten(), passing.flatten())
        return (MOST_MOVES / total).clamp(max=1)[nodes]

    def state(self) -> dict[str, Tensor]:
        """See :class:`Output`."""
        return {"output": self.vectors}


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


def first_vectors(number: int, size: int, random: torch.Generator) -> Tensor:
    """Vectors to start from: uniform from -1/2 to 1/2, over the size, as in the authors' program."""
    return (torch.rand(number, size, generator=random) - 0.5) / size


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
