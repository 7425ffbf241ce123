"""What skip-gram and its kin learn to tell: what stands near, from noise or down a tree."""

import math
from typing import Protocol

import torch
from torch import Tensor

from model_serving.models.layers.huffman import Paths
from model_serving.models.layers.noise import Noise
from model_serving.models.layers.skipgram import descend, hierarchical_softmax, negative_sampling

SHARED_NOISE = 128
"""Rows of noise drawn for a batch."""
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
        most_moves: pairs of a batch, true and false, whose gradients a target takes whole; left out, all.
    """

    def __init__(self, counts: Tensor, size: int, negatives: int = 5, most_moves: float = math.inf):
        self.vectors = torch.zeros(len(counts), size)
        self.negatives = negatives
        self._most_moves = most_moves
        self._noise = Noise(counts)

    def learn(
        self, hidden: Tensor, targets: Tensor, pairs: Tensor, rate: float, random: torch.Generator
    ) -> tuple[Tensor, Tensor]:
        """See :class:`Output`."""
        drawn = self._noise.draw(SHARED_NOISE, random)
        step, of_noise = negative_sampling(hidden, self.vectors[targets], pairs, self.vectors[drawn], self.negatives)
        if self._most_moves < math.inf:
            asked = pairs.sum(1)
            false = (asked.sum() * self.negatives / SHARED_NOISE).expand(SHARED_NOISE)
            moves = torch.zeros(len(self.vectors)).index_add_(0, targets.flatten(), asked.flatten())
            share = bounded(moves.index_add_(0, drawn, false), self._most_moves)
            step.outputs.mul_(share[targets].unsqueeze(-1))
            of_noise.mul_(share[drawn].unsqueeze(-1))
        descend(self.vectors, targets, step.outputs, rate)
        descend(self.vectors, drawn, of_noise, rate)
        return step.loss, step.inputs

    def state(self) -> dict[str, Tensor]:
        """See :class:`Output`."""
        return {"output": self.vectors}


class TreeOutput:
    """Goes down the tree to the target.

    Every way passes the root, so it would move by the sum of a batch's pairs; there is a bound to that.

    Args:
        paths: the tree.
        size: of the vectors.
        most_moves: pairs of a batch whose gradients a node of the tree takes whole.
    """

    def __init__(self, paths: Paths, size: int, most_moves: float = MOST_MOVES):
        self._most_moves = most_moves
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
        return bounded(total, self._most_moves)[nodes]

    def state(self) -> dict[str, Tensor]:
        """See :class:`Output`."""
        return {"output": self.vectors}


def bounded(moves: Tensor, most: float) -> Tensor:
    """How much of its gradient each row takes, with so many ``moves`` in a batch, so that it moves by ``most``."""
    return (most / moves).clamp(max=1)


def first_vectors(number: int, size: int, random: torch.Generator) -> Tensor:
    """Vectors to start from: uniform from -1/2 to 1/2, over the size, as in the authors' program."""
    return (torch.rand(number, size, generator=random) - 0.5) / size
