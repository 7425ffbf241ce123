"""Exact inference on linear chains, for CRFs and HMMs alike.

A chain scores a label sequence ``y`` of length ``n`` as ::

    start[y_0] + sum_t emissions[t, y_t] + sum_t transitions[y_(t-1), y_t] + end[y_(n-1)]

A CRF's scores are any real numbers; an HMM's are log probabilities. Forbidden moves score ``-inf``.

Shapes: ``emissions`` (batch, time, labels), ``lengths`` (batch,) int64 with values 1..time,
``transitions`` (from, to), ``start`` and ``end`` (labels,). Positions past a row's length are ignored.

Sources: Rabiner, 1989, "A tutorial on hidden Markov models", sections III.A-B; Lafferty et al., 2001,
"Conditional random fields", section 3; Culotta and McCallum, 2004, "Confidence estimation for information
extraction", section 3 (probability of a segment).
"""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor


class Chain(NamedTuple):
    """The scores that all sequences share: ``transitions`` (from, to), ``start`` and ``end`` (labels,)."""

    transitions: Tensor
    start: Tensor
    end: Tensor


_NEVER = -1e5
"""A log probability low enough for a step that can not be, and finite, so that sums across it stay numbers."""


def _log_matmul(vectors: Tensor, matrix: Tensor) -> Tensor:
    """``log(exp(vectors) @ exp(matrix))``, shifted by each row's maximum: (batch, from) x (from, to) -> (batch, to).

    ``matrix`` comes already exponentiated. In float64 one product replaces labels^2 exponentials a step;
    scores more than 700 apart would be needed to lose a term. A row of ``-inf`` gives ``-inf``.
    """
    shift = vectors.amax(dim=1, keepdim=True).detach().clamp(min=torch.finfo(vectors.dtype).min)
    return torch.log((vectors - shift).exp() @ matrix) + shift


def path_score(emissions: Tensor, labels: Tensor, lengths: Tensor, chain: Chain) -> Tensor:
    """Score the given ``labels`` (batch, time) int64 -> (batch,)."""
    steps = torch.arange(emissions.size(1), device=emissions.device)
    inside = steps < lengths.unsqueeze(1)
    emitted = emissions.gather(2, labels.unsqueeze(2)).squeeze(2)
    moved = chain.transitions[labels[:, :-1], labels[:, 1:]]
    last = labels.gather(1, (lengths - 1).unsqueeze(1)).squeeze(1)
    zero = emissions.new_zeros(())
    return (
        chain.start[labels[:, 0]]
        + torch.where(inside, emitted, zero).sum(1)
        + torch.where(inside[:, 1:], moved, zero).sum(1)
        + chain.end[last]
    )


def forward_scores(emissions: Tensor, lengths: Tensor, chain: Chain) -> Tensor:
    """Log-sum over all prefixes that end in each label -> (batch, time, labels) float64; the last one then repeats."""
    emissions = emissions.double()
    matrix = chain.transitions.double().exp()
    alpha = chain.start.double() + emissions[:, 0]
    alphas = [alpha]
    for step in range(1, emissions.size(1)):
        moved = _log_matmul(alpha, matrix) + emissions[:, step]
        alpha = torch.where((step < lengths).unsqueeze(1), moved, alpha)
        alphas.append(alpha)
    return torch.stack(alphas, dim=1)


def backward_scores(emissions: Tensor, lengths: Tensor, chain: Chain) -> Tensor:
    """Log-sum over all suffixes that follow each label, its own emission left out -> (batch, time, labels) float64."""
    emissions = emissions.double()
    matrix = chain.transitions.double().exp().T
    final = chain.end.double().expand(emissions.size(0), -1)
    beta = final
    betas = [beta]
    for step in range(emissions.size(1) - 2, -1, -1):
        moved = _log_matmul(beta + emissions[:, step + 1], matrix)
        beta = torch.where((step < lengths - 1).unsqueeze(1), moved, final)
        betas.append(beta)
    return torch.stack(betas[::-1], dim=1)


def log_partition(emissions: Tensor, lengths: Tensor, chain: Chain) -> Tensor:
    """Log-sum of the scores of all label sequences -> (batch,) float64."""
    alpha = forward_scores(emissions, lengths, chain)[:, -1]
    return torch.logsumexp(alpha + chain.end.double(), dim=1)


def marginals(emissions: Tensor, lengths: Tensor, chain: Chain) -> Tensor:
    """Probability of each label at each position -> (batch, time, labels) float64, zero past the length."""
    alpha = forward_scores(emissions, lengths, chain)
    beta = backward_scores(emissions, lengths, chain)
    total = torch.logsumexp(alpha[:, -1] + chain.end.double(), dim=1)
    inside = torch.arange(emissions.size(1), device=emissions.device) < lengths.unsqueeze(1)
    return (alpha + beta - total[:, None, None]).exp() * inside.unsqueeze(2)


def viterbi(emissions: Tensor, lengths: Tensor, chain: Chain) -> Tensor:
    """The best-scoring label sequence of each row -> (batch, time) int64; past the length the last label repeats.

    The way forward keeps scores alone, those past a row's length unread; where each best score came from is asked on
    the way back, of one label a row. In numpy, where so small a step takes half as long as in torch.
    """
    emitted = emissions.detach().permute(1, 2, 0).contiguous().numpy()  # (time, labels, batch)
    last = lengths.numpy() - 1
    transitions, start, end = (part.detach().numpy() for part in chain)
    into = np.ascontiguousarray(transitions.T)
    time, labels, batch = emitted.shape
    scores = np.empty_like(emitted)
    moved = np.empty((labels, labels, batch), emitted.dtype)
    path = np.empty((time, batch), np.int64)
    with np.errstate(invalid="ignore"):  # padding may hold what has no sum with -inf
        np.add(emitted[0], start[:, np.newaxis], out=scores[0])
        for step in range(1, time):
            np.add(scores[step - 1, :, np.newaxis], transitions[:, :, np.newaxis], out=moved)
            np.maximum.reduce(moved, axis=0, out=scores[step])
            scores[step] += emitted[step]
        path[-1] = (scores[last, :, np.arange(batch)] + end).argmax(axis=1)
        for step in range(time - 1, 0, -1):
            previous = (into[path[step]] + scores[step - 1].T).argmax(axis=1)
            path[step - 1] = np.where(step <= last, previous, path[step])
    return torch.from_numpy(path.T)


def segment_scores(emissions: Tensor, paths: Tensor, lengths: Tensor, chain: Chain) -> tuple[Tensor, Tensor]:
    """Split the log probabilities of all segments of some paths into two terms a position.

    For positions ``i <= j`` the probability that the chain carries exactly the labels of a path from ``i`` to ``j``,
    whatever stands before and after, is ``exp(opening[i] + closing[j])``: the forward score up to ``i``, the path's
    own score from ``i`` to ``j``, the backward score after ``j``.

    Args:
        paths: (batch, time, paths) int64, labels; -1 where a path has none, which no segment can hold.

    Returns:
        ``opening`` and ``closing``, each (batch, time, paths) float64.
    """
    index = paths.clamp(min=0)
    alpha = forward_scores(emissions, lengths, chain)
    total = torch.logsumexp(alpha[:, -1] + chain.end.double(), dim=1)[:, None, None]
    steps = emissions.double().gather(2, index)
    steps[:, 1:] += chain.transitions.double()[index[:, :-1], index[:, 1:]]
    missing = paths < 0
    run = steps.masked_fill(missing, _NEVER).clamp(min=_NEVER).cumsum(dim=1)
    opening = alpha.gather(2, index) - run
    closing = backward_scores(emissions, lengths, chain).gather(2, index) + run - total
    return opening.masked_fill(missing, -torch.inf), closing.masked_fill(missing, -torch.inf)


class Expectations(NamedTuple):
    """``log_partition`` (batch,), ``marginals`` (batch, time, labels), ``moves`` (from, to) summed over the batch."""

    log_partition: Tensor
    marginals: Tensor
    moves: Tensor


def expectations(emissions: Tensor, lengths: Tensor, chain: Chain) -> Expectations:
    """What a gradient needs of all label sequences at once, in the precision of the scores.

    Probabilities are scaled to sum to one at each step (Rabiner, 1989, section V.A), which spares the logarithms; a
    path some 80 below the best is lost in float32. Padding is not read.

    Args:
        emissions: (batch, time, labels), the rows in falling order of length.
        lengths: (batch,) int64.
        chain: the scores of moves.
    """
    rows = [int((lengths > step).sum()) for step in range(emissions.size(1))]
    shift = emissions.amax(2, keepdim=True)
    emitted = (emissions - shift).exp().transpose(0, 1).contiguous()
    matrix, start, end = (score.exp() for score in chain)
    alphas, scales = torch.zeros_like(emitted), torch.ones_like(emitted[:, :, :1])
    for step, active in enumerate(rows):
        reached = alphas[step - 1, :active] @ matrix if step else start
        alpha = reached * emitted[step, :active]
        scales[step, :active] = alpha.sum(1, keepdim=True)
        alphas[step, :active] = alpha / scales[step, :active]
    last = alphas[lengths - 1, torch.arange(len(lengths))]
    final = (last * end).sum(1)
    betas = torch.zeros_like(emitted)
    betas[lengths - 1, torch.arange(len(lengths))] = end / final.unsqueeze(1)
    ahead = torch.zeros_like(emitted)
    for step in range(len(rows) - 1, 0, -1):
        active = rows[step]
        ahead[step, :active] = emitted[step, :active] * betas[step, :active] / scales[step, :active]
        betas[step - 1, :active] = ahead[step, :active] @ matrix.T
    inside = torch.arange(len(rows)) < lengths.unsqueeze(1)
    partition = (torch.where(inside, scales.squeeze(2).T.log() + shift.squeeze(2), 0).double().sum(1)) + final.log()
    moves = alphas[:-1].flatten(0, 1).T @ ahead[1:].flatten(0, 1) * matrix
    return Expectations(partition, (alphas * betas).transpose(0, 1), moves)
