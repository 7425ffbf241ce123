"""Train the CRF tagger.

The penalised likelihood of the whole training part is climbed by L-BFGS (Liu and Nocedal, 1989; Sha and Pereira,
2003, "Shallow parsing with conditional random fields", who found it best for CRFs). A feature seen less than
``RAREST`` times is left out; it has a weight for each label that it was seen with. In the end weights near zero are
dropped, for most are, and the rest lie in eight bits.
"""

import logging
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import embedding_bag
from torch.nn.utils.rnn import pad_sequence
from tqdm import tqdm

from model_serving.models.layers import linear_chain
from model_serving.models.taggers.crf import TEMPLATES, CRFLabeller, build
from model_serving.models.taggers.text import LONGEST_SENTENCE
from model_serving.models.vocabulary import RESERVED, Vocabulary
from model_serving.training import checkpoints
from model_serving.training.datasets.corpus import Corpus, TaggedSentence, labels_of
from model_serving.training.taggers.metrics import evaluate

PAPER = (
    "Lafferty, McCallum and Pereira, 2001, Conditional random fields: probabilistic models for segmenting and labeling "
    "sequence data, ICML"
)
RAREST = 3
PENALTY = 0.3
"""Of the square of each weight, subtracted from the log-likelihood."""
SCHEDULE = ((4, 10),) * 4 + ((1, 10),) * 2
"""Blocks of so many iterations over every so-manieth chunk: most of the way needs only some of the sentences."""
HISTORY = 8
LEAST_WEIGHT = 0.06
"""Smaller weights are dropped after training."""
CHUNK = 2_000_000
"""Emissions computed at once, which bounds the memory."""

log = logging.getLogger("training")


def train(
    corpus: Corpus, checkpoint: Path, *, seed: int, schedule: Sequence[tuple[int, int]] = SCHEDULE
) -> tuple[CRFLabeller, dict[str, Any]]:
    """Train on ``corpus.train``; picks up at ``checkpoint`` where it exists. No chance is taken, whatever ``seed``.

    Returns the labeller and a record of the training for its card.
    """
    sentences = [sentence for sentence in corpus.train if len(sentence.units) <= LONGEST_SENTENCE]
    labeller = build(_features(sentences, corpus.language), _label_names(sentences), corpus.language)
    climb = Climb(Likelihood(labeller, sentences))
    if checkpoint.exists():
        climb.load_state_dict(checkpoints.load(checkpoint))
        log.info("Resuming at %s after block %d of %d", checkpoint, climb.blocks, len(schedule))
    for stride, iterations in schedule[climb.blocks :]:
        climb.ascend(iterations, stride)
        checkpoints.save(climb.state_dict(), checkpoint)
        log.info("Block %d: log-likelihood less penalty %.0f", climb.blocks, climb.value)
    climb.likelihood.fill(climb.weights.detach())
    smaller = prune(labeller)
    record = {
        "iterations": sum(iterations for _, iterations in schedule),
        "penalised_log_likelihood": round(climb.value),
        "weights": len(climb.weights),
        "kept_weights": len(smaller.weights()["values"]),
        "dev_f1": round(evaluate(smaller, corpus.dev), 2),
    }
    return smaller, record


def prune(labeller: CRFLabeller, least: float = LEAST_WEIGHT) -> CRFLabeller:
    """The same labeller without the weights below ``least`` and the features that then have none."""
    table = labeller.network.votes.weight.detach()[RESERVED:]
    table = torch.where(table.abs() < least, 0, table)
    kept = table.any(1)
    names = [name for name, keep in zip(labeller.features.symbols, kept.tolist(), strict=True) if keep]
    smaller = build(Vocabulary(names), labeller.labels, labeller.language)
    smaller.network.votes.weight.data[RESERVED:] = table[kept]
    smaller.network.crf.load_state_dict(labeller.network.crf.state_dict())
    smaller.network.eval()
    return smaller


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
    of ends. ``stride`` other than 1 takes every so-manieth chunk for all of them.
    """

    def __init__(self, labeller: CRFLabeller, sentences: list[TaggedSentence]):
        self.labeller = labeller
        self.size = len(labeller.labels)
        seen = torch.zeros(len(labeller.features), self.size, dtype=torch.bool)
        self.stride = 1
        self.chunks = []
        for part in tqdm(_cut(sentences, CHUNK // self.size), desc="features", unit="chunk"):
            self.chunks.append(_chunk(labeller, part))
            _mark(seen, self.chunks[-1])
        self.features, self.labels = (index.int() for index in seen.nonzero().T)

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
        with torch.inference_mode():
            for chunk in self.chunks[:: self.stride]:
                total += _add(chunk, table, moved, gradient, moves, ends)
        parts = [gradient[self.features, self.labels].double(), moves.flatten(), *ends]
        return total * self.stride, torch.cat(parts) * self.stride


def _add(
    chunk: Chunk, table: Tensor, moved: linear_chain.Chain, gradient: Tensor, moves: Tensor, ends: Tensor
) -> float:
    """Add what a chunk has to say to the gradients in place, and give its log-likelihood."""
    emissions = table.new_zeros(*chunk.inside.shape, table.size(1))
    emissions[chunk.inside] = embedding_bag(chunk.found, table, chunk.starts, mode="sum")
    expected = linear_chain.expectations(emissions, chunk.lengths, moved)
    score = linear_chain.path_score(emissions, chunk.gold, chunk.lengths, moved)
    left = -expected.marginals[chunk.inside]
    gold = chunk.gold[chunk.inside]
    left[torch.arange(len(gold)), gold] += 1
    gradient[chunk.distinct] += embedding_bag(chunk.places, left, chunk.offsets, mode="sum")
    rows = torch.arange(len(chunk.lengths))
    ends[0] -= expected.marginals[:, 0].sum(0)
    ends[0].index_add_(0, chunk.gold[:, 0], ends.new_ones(len(rows)))
    ends[1] -= expected.marginals[rows, chunk.lengths - 1].sum(0)
    ends[1].index_add_(0, chunk.gold[rows, chunk.lengths - 1], ends.new_ones(len(rows)))
    both = chunk.inside[:, 1:]
    pairs = chunk.gold[:, :-1][both] * table.size(1) + chunk.gold[:, 1:][both]
    moves += torch.bincount(pairs, minlength=moves.numel()).view_as(moves) - expected.moves
    return float((score - expected.log_partition).sum())


class Climb:
    """A climb by L-BFGS in progress."""

    def __init__(self, likelihood: Likelihood):
        self.likelihood = likelihood
        self.weights = torch.zeros(len(likelihood), dtype=torch.float64, requires_grad=True)
        self.optimiser = self._optimiser()
        self.blocks = 0
        self.value = 0.0

    def _optimiser(self) -> torch.optim.LBFGS:
        return torch.optim.LBFGS([self.weights], lr=1, history_size=HISTORY, line_search_fn="strong_wolfe")

    def ascend(self, iterations: int, stride: int = 1) -> None:
        """Take a block of steps up, on every ``stride``-th chunk; what earlier steps told of others is forgotten."""
        if stride != self.likelihood.stride:
            self.likelihood.stride = stride
            self.optimiser = self._optimiser()
        progress = tqdm(desc=f"block {self.blocks + 1}", unit="evaluation")

        def descend() -> float:
            weights = self.weights.detach()
            value, gradient = self.likelihood(weights)
            self.weights.grad = 2 * PENALTY * weights - gradient
            self.value = value - PENALTY * float(weights @ weights)
            progress.update()
            return -self.value

        group = self.optimiser.param_groups[0]
        group["max_iter"], group["max_eval"] = iterations, 10 * iterations
        self.optimiser.step(descend)  # type: ignore[no-untyped-call]
        self.blocks += 1
        progress.close()

    def state_dict(self) -> dict[str, Any]:
        """All that a resumed climb needs."""
        return {
            "features": self.likelihood.labeller.features.symbols,
            "weights": self.weights.detach(),
            "optimiser": self.optimiser.state_dict(),
            "stride": self.likelihood.stride,
            "blocks": self.blocks,
            "value": self.value,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take up where :meth:`state_dict` was written.

        Raises:
            ValueError: the state is of another corpus.
        """
        if state["features"] != self.likelihood.labeller.features.symbols or len(state["weights"]) != len(self.weights):
            raise ValueError("The checkpoint was trained on other data; delete it to start anew")
        self.weights.data.copy_(state["weights"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.likelihood.stride, self.blocks, self.value = state["stride"], state["blocks"], state["value"]


def _features(sentences: list[TaggedSentence], language: str) -> Vocabulary:
    describe = TEMPLATES[language]
    return Vocabulary.counted(
        chain.from_iterable(chain.from_iterable(describe(sentence.units)) for sentence in sentences), RAREST
    )


def _label_names(sentences: list[TaggedSentence]) -> list[str]:
    return Vocabulary.counted(chain.from_iterable(map(labels_of, sentences))).symbols


def _cut(sentences: list[TaggedSentence], most: int) -> list[list[TaggedSentence]]:
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


def _mark(seen: Tensor, chunk: Chunk) -> None:
    """Note which labels stood where each feature was found."""
    gold = chunk.gold[chunk.inside]
    seen[chunk.found, gold.repeat_interleave(_sizes(chunk.starts, len(chunk.found)))] = True


def _sizes(starts: Tensor, total: int) -> Tensor:
    """How many features each position has."""
    return starts.diff(append=starts.new_tensor([total]))
