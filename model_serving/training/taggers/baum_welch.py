"""Learning from text that nobody has tagged.

Baum, Petrie, Soules and Weiss, 1970; Rabiner, 1989, section III.C, equations 37 to 40: what a model expects to have
happened in a text, path by path and weighted by their probability, is counted as if it had been seen. Without smoothing
the likelihood of the text never falls. Tags do not get better by it as a rule (Merialdo, 1994, "Tagging English text
with a probabilistic model"), so the committed models are counted from tagged text alone.
"""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor
from torch.nn.functional import pad

from model_serving.models.layers import linear_chain
from model_serving.models.taggers.hmm import Counts, HMMLabeller
from model_serving.models.vocabulary import PADDING

LEAST = 1e-9
"""Expected counts below this are none."""
BATCH = 256


def baum_welch(
    labeller: HMMLabeller, texts: Sequence[str], iterations: int, tagged: Counts | None = None
) -> tuple[HMMLabeller, list[float]]:
    """Estimate a model anew from untagged text, some times over.

    Args:
        labeller: where to start.
        texts: folded sentences, none empty.
        iterations: how often.
        tagged: counts of tagged text that stay in the estimate, of the same characters and states.

    Returns:
        The last model, and the log-likelihood of the text before each iteration and after the last.
    """
    likelihoods = []
    for _ in range(iterations):
        counts, likelihood = expected_counts(labeller, texts)
        likelihoods.append(likelihood)
        total = counts if tagged is None else _together(counts, tagged)
        labeller = HMMLabeller(total, labeller.characters, labeller.states, labeller.back_off)
    return labeller, [*likelihoods, expected_counts(labeller, texts)[1]]


@torch.inference_mode()
def expected_counts(labeller: HMMLabeller, texts: Sequence[str]) -> tuple[Counts, float]:
    """What the model expects to have happened in a text, and the text's log-likelihood."""
    size = len(labeller.states)
    moves = torch.zeros(size + 1, size + 1, dtype=torch.float64)
    pairs: list[Tensor] = []
    shares: list[Tensor] = []
    total = 0.0
    chain = linear_chain.Chain(*(scores.double() for scores in labeller.hmm.chain))
    for characters, lengths in _batches(labeller, texts):
        emissions = labeller.hmm.emissions(characters).double()
        expected = linear_chain.expectations(emissions, lengths, chain)
        total += float(expected.log_partition.sum())
        moves[:-1, :-1] += expected.moves
        moves[-1, :-1] += expected.marginals[:, 0].sum(0)
        moves[:-1, -1] += expected.marginals[torch.arange(len(lengths)), lengths - 1].sum(0)
        inside = torch.arange(characters.size(1)) < lengths.unsqueeze(1)
        before = pad(characters, (1, -1), value=PADDING)
        pairs.append(torch.stack([before[inside], characters[inside]], 1))
        shares.append(expected.marginals[inside])
    distinct, which = torch.unique(torch.cat(pairs), dim=0, return_inverse=True)
    table = torch.zeros(len(distinct), size, dtype=torch.float64).index_add_(0, which, torch.cat(shares))
    row, state = (table > LEAST).nonzero().T
    return Counts(moves, torch.cat([distinct[row], state.unsqueeze(1)], 1), table[row, state]), total


def _batches(labeller: HMMLabeller, texts: Sequence[str]) -> Iterator[tuple[Tensor, Tensor]]:
    """Characters (batch, time) and lengths, in falling order."""
    order = sorted(texts, key=len, reverse=True)
    for first in range(0, len(order), BATCH):
        yield labeller.encode(order[first : first + BATCH])


def _together(counts: Counts, others: Counts) -> Counts:
    """The sum of two counts."""
    written = torch.cat([counts.written.long(), others.written.long()])
    distinct, which = torch.unique(written, dim=0, return_inverse=True)
    times = torch.cat([counts.times.double(), others.times.double()])
    summed = torch.zeros(len(distinct), dtype=torch.float64).index_add_(0, which, times)
    return Counts(counts.moves.double() + others.moves.double(), distinct, summed)
