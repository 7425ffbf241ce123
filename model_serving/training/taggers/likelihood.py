"""The likelihood of a CRF as a function of its weights."""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import embedding_bag
from torch.nn.utils.rnn import pad_sequence
from tqdm import tqdm

from model_serving.models.layers import linear_chain
from model_serving.models.taggers.crf import CRFLabeller
from model_serving.training.datasets.corpus import TaggedSentence, labels_of


class Chunk(NamedTuple):
    """Some sentences in falling order of length, and their features both ways.

    ``found`` and ``starts``: the features of each position in turn; ``distinct`` (d,), ``places`` and ``offsets``
    (d,): for each feature the positions it was found at. ``inside`` and ``gold``, both (batch, time).
    """

    found: Tensor
    starts: Tensor
    distinct: Tensor
    places: Tensor
    offsets: Tensor
    lengths: Tensor
    inside: Tensor
    gold: Tensor


class Likelihood:
    """The log-likelihood of tagged sentences as a function of one vector of weights, with its gradient.

    The vector holds the weight of each pair of feature and label that occurs, then the scores of moves, of starts and
    of ends.
    """

    def __init__(self, labeller: CRFLabeller, sentences: list[TaggedSentence], most: int):
        self.labeller = labeller
        self.size = len(labeller.labels)
        self.seen = torch.zeros(len(labeller.features), self.size, dtype=torch.bool)
        self.chunks = []
        for part in tqdm(cut(sentences, most), desc="features", unit="chunk"):
            self.chunks.append(_chunk(labeller, part))
            mark(self.seen, self.chunks[-1])
        self.features, self.labels = (index.int() for index in self.seen.nonzero().T)

    def __len__(self) -> int:
        """How many weights there are."""
        return len(self.features) + self.size * (self.size + 2)

    def fill(self, weights: Tensor) -> None:
        """Write a vector of weights into the network of the labeller."""
        votes, transitions, start, end = torch.split(weights.float(), self._sizes)
        network = self.labeller.network
        with torch.no_grad():
            network.votes.weight[self.features, self.labels] = votes
            network.crf.transitions.copy_(transitions.view(self.size, self.size))
            network.crf.start.copy_(start)
            network.crf.end.copy_(end)

    @property
    def _sizes(self) -> list[int]:
        return [len(self.features), self.size * self.size, self.size, self.size]

    def __call__(self, weights: Tensor) -> tuple[float, Tensor]:
        """The log-likelihood at a vector of weights (n,) float64, and its gradient (n,) float64."""
        self.fill(weights)
        table = self.labeller.network.votes.weight.detach()
        moved = self.labeller.network.crf.scores()
        gradient = torch.zeros_like(table)
        moves = torch.zeros(self.size, self.size, dtype=torch.float64)
        ends = torch.zeros(2, self.size, dtype=torch.float64)
        total = 0.0
        for chunk in self.chunks:
            slope = slope_of(chunk, table, moved)
            total += slope.value
            gradient[chunk.distinct] += slope.votes
            moves += slope.moves
            ends += slope.ends
        return total, torch.cat([gradient[self.features, self.labels].double(), moves.flatten(), *ends])

    def read(self) -> Tensor:
        """The vector of weights that the network of the labeller holds, float64."""
        network = self.labeller.network
        votes = network.votes.weight.detach()[self.features, self.labels]
        return torch.cat([votes, *(score.detach().flatten() for score in network.crf.scores())]).double()


class Slope(NamedTuple):
    """What a chunk says: its log-likelihood, and the way up.

    ``votes`` (d, labels) for the distinct features of the chunk, ``moves`` (labels, labels), ``ends`` (2, labels) for
    starts and ends.
    """

    value: float
    votes: Tensor
    moves: Tensor
    ends: Tensor


@torch.inference_mode()
def slope_of(chunk: Chunk, table: Tensor, moved: linear_chain.Chain) -> Slope:
    """The log-likelihood of a chunk and its gradient, at the votes (features, labels) and scores of moves."""
    emissions = table.new_zeros(*chunk.inside.shape, table.size(1))
    emissions[chunk.inside] = embedding_bag(chunk.found, table, chunk.starts, mode="sum")
    expected = linear_chain.expectations(emissions, chunk.lengths, moved)
    score = linear_chain.path_score(emissions, chunk.gold, chunk.lengths, moved)
    left = -expected.marginals[chunk.inside]
    gold = chunk.gold[chunk.inside]
    left[torch.arange(len(gold)), gold] += 1
    rows = torch.arange(len(chunk.lengths))
    last = chunk.lengths - 1
    ends = -torch.stack([expected.marginals[:, 0].sum(0), expected.marginals[rows, last].sum(0)]).double()
    ends[0].index_add_(0, chunk.gold[:, 0], ends.new_ones(len(rows)))
    ends[1].index_add_(0, chunk.gold[rows, last], ends.new_ones(len(rows)))
    both = chunk.inside[:, 1:]
    pairs = chunk.gold[:, :-1][both] * table.size(1) + chunk.gold[:, 1:][both]
    moves = torch.bincount(pairs, minlength=expected.moves.numel()).view_as(expected.moves) - expected.moves
    return Slope(
        value=float((score - expected.log_partition).sum()),
        votes=embedding_bag(chunk.places, left, chunk.offsets, mode="sum"),
        moves=moves.double(),
        ends=ends,
    )


def cut(sentences: list[TaggedSentence], most: int) -> list[list[TaggedSentence]]:
    """Sentences in falling order of length, cut where a part would have more than ``most`` positions with padding."""
    parts: list[list[TaggedSentence]] = []
    for sentence in sorted(sentences, key=lambda sentence: -len(sentence.units)):
        if not parts or len(parts[-1][0].units) * (len(parts[-1]) + 1) > most:
            parts.append([])
        parts[-1].append(sentence)
    return parts


def _chunk(labeller: CRFLabeller, part: list[TaggedSentence]) -> Chunk:
    found, starts, lengths = labeller.encode([sentence.units for sentence in part])
    numbers = {label: number for number, label in enumerate(labeller.labels)}
    gold = [torch.tensor([numbers[label] for label in labels_of(sentence)]) for sentence in part]
    position = torch.repeat_interleave(_sizes(starts, len(found)))
    order = found.argsort(stable=True)
    distinct, times = torch.unique_consecutive(found[order], return_counts=True)
    return Chunk(
        found=found.int(),
        starts=starts.int(),
        distinct=distinct,
        places=position[order].int(),
        offsets=(times.cumsum(0) - times).int(),
        lengths=lengths,
        inside=torch.arange(len(gold[0])) < lengths.unsqueeze(1),
        gold=pad_sequence(gold, batch_first=True),
    )


def mark(seen: Tensor, chunk: Chunk) -> None:
    """Note which labels stood where each feature was found."""
    gold = chunk.gold[chunk.inside]
    seen[chunk.found, gold.repeat_interleave(_sizes(chunk.starts, len(chunk.found)))] = True


def _sizes(starts: Tensor, total: int) -> Tensor:
    """How many features each position has."""
    return starts.diff(append=starts.new_tensor([total]))
