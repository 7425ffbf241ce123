"""The step of skip-gram and its kin: logistic regression of vectors against vectors, many pairs at once.

Mikolov, Sutskever, Chen, Corrado and Dean, 2013, "Distributed representations of words and phrases and their
compositionality", arXiv:1310.4546: equation 4, negative sampling, and section 2.1, hierarchical softmax. Both ask of
each pair a yes or no; they differ in what a vector is paired with. The gradients are written out, for that is several
times faster than automatic differentiation, and pairs come in blocks, for that turns them into matrix products.
"""

from typing import NamedTuple

from torch import Tensor
from torch.nn.functional import softplus


class Step(NamedTuple):
    """What a step would change: the loss, summed over pairs, and its gradients in the shapes of the vectors."""

    loss: Tensor
    inputs: Tensor
    outputs: Tensor


def logistic(inputs: Tensor, outputs: Tensor, weights: Tensor) -> Step:
    """Loss and gradients of telling pairs apart by the sign of their product.

    Args:
        inputs: (..., n, size).
        outputs: (..., m, size).
        weights: (..., n, m); how much a pair counts, positive where it should be told as one, negative where not, and
            zero where it is not asked.
    """
    scores = inputs @ outputs.transpose(-1, -2)
    wrong = -scores * weights.sign()
    slope = -weights * wrong.sigmoid()
    return Step((weights.abs() * softplus(wrong)).sum(), slope @ outputs, slope.transpose(-1, -2) @ inputs)


def negative_sampling(
    inputs: Tensor, outputs: Tensor, pairs: Tensor, noise: Tensor, negatives: float
) -> tuple[Step, Tensor]:
    """A step over true pairs and over noise that all inputs of the step share.

    Each true pair is owed ``negatives`` false ones; an input pays its part with a small weight on every vector of the
    noise instead of the full one on a few, which has the same expectation.

    Args:
        inputs: (blocks, n, size).
        outputs: (blocks, m, size).
        pairs: (blocks, n, m), how often the input stands with the output.
        noise: (k, size), output vectors drawn for the step.
        negatives: false pairs for each true one.

    Returns:
        The step, and the gradient of ``noise``.
    """
    true = logistic(inputs, outputs, pairs)
    owed = pairs.sum(2).flatten().unsqueeze(1) * (-negatives / len(noise))
    false = logistic(inputs.flatten(0, 1), noise, owed.expand(-1, len(noise)))
    step = Step(true.loss + false.loss, true.inputs + false.inputs.view_as(inputs), true.outputs)
    return step, false.outputs


def hierarchical_softmax(inputs: Tensor, nodes: Tensor, turns: Tensor, pairs: Tensor) -> Step:
    """A step along the paths of a binary tree from its root to each output.

    Args:
        inputs: (blocks, n, size).
        nodes: (blocks, m, depth, size), the vectors of the inner nodes on the way to each output.
        turns: (blocks, m, depth), 1 where the way goes left, -1 right, and 0 behind its end.
        pairs: (blocks, n, m), how often the input stands with the output.

    Returns:
        The step; ``outputs`` is shaped as ``nodes``.
    """
    weights = (pairs.unsqueeze(3) * turns.unsqueeze(1)).flatten(2)
    step = logistic(inputs, nodes.flatten(1, 2), weights)
    return step._replace(outputs=step.outputs.view_as(nodes))


def descend(table: Tensor, rows: Tensor, gradient: Tensor, rate: float) -> None:
    """Move rows of ``table`` (n, size) against the gradient of their copies; a row that occurs twice moves twice.

    Args:
        table: changed in place.
        rows: (...) int64.
        gradient: (..., size).
        rate: the learning rate.
    """
    table.index_add_(0, rows.reshape(-1), gradient.reshape(-1, table.shape[1]), alpha=-rate)
