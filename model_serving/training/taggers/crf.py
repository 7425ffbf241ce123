"""Train the CRF tagger.

The penalised likelihood of the whole training part is climbed by L-BFGS (Liu and Nocedal, 1989; Sha and Pereira,
2003, "Shallow parsing with conditional random fields", who found it best for CRFs), from where a few passes of AdaGrad
lead. A feature seen less than
``RAREST`` times is left out; it has a weight for each label that it was seen with. In the end weights near zero are
dropped, for most are, and the rest lie in eight bits.
"""

import logging
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from tqdm import tqdm

from model_serving.models.taggers.crf import TEMPLATES, CRFLabeller, build
from model_serving.models.taggers.text import LONGEST_SENTENCE
from model_serving.models.vocabulary import RESERVED, Vocabulary
from model_serving.training import checkpoints
from model_serving.training.datasets.corpus import Corpus, TaggedSentence, labels_of
from model_serving.training.taggers.likelihood import Likelihood, slope_of
from model_serving.training.taggers.metrics import evaluate

PAPER = (
    "Lafferty, McCallum and Pereira, 2001, Conditional random fields: probabilistic models for segmenting and labeling "
    "sequence data, ICML"
)
RAREST = 3
PENALTY = 0.3
"""Of the square of each weight, subtracted from the log-likelihood."""
PASSES = 4
RATE = 0.2
"""Of AdaGrad: how far the first step moves each weight."""
BLOCKS = 2
ITERATIONS = 10
"""Of L-BFGS in a block; a checkpoint is written after each block."""
LEAST_SQUARE = 1.0
"""What AdaGrad's sums of squares begin with: much, so that what was seen a few times moves little."""
HISTORY = 8
LEAST_WEIGHT = 0.25
"""Smaller weights are dropped after training."""
CHUNK = 16_384
"""Positions computed at once, padding included: a step of AdaGrad is taken after each."""

log = logging.getLogger("training")


def train(corpus: Corpus, checkpoint: Path, *, seed: int, blocks: int = BLOCKS) -> tuple[CRFLabeller, dict[str, Any]]:
    """Train on ``corpus.train``; picks up at ``checkpoint`` where it exists; ``seed`` orders the first passes.

    Returns the labeller and a record of the training for its card.
    """
    sentences = [sentence for sentence in corpus.train if len(sentence.units) <= LONGEST_SENTENCE]
    labeller = build(_features(sentences, corpus.language), _label_names(sentences), corpus.language)
    climb = Climb(Likelihood(labeller, sentences, CHUNK))
    if checkpoint.exists():
        climb.load_state_dict(checkpoints.load(checkpoint))
        log.info("Resuming at %s after block %d of %d", checkpoint, climb.blocks, blocks)
    else:
        climb.weights.data.copy_(approach(climb.likelihood, PASSES, torch.Generator().manual_seed(seed)))
        checkpoints.save(climb.state_dict(), checkpoint)
    while climb.blocks < blocks:
        climb.ascend(ITERATIONS)
        checkpoints.save(climb.state_dict(), checkpoint)
        log.info("Block %d: log-likelihood less penalty %.0f", climb.blocks, climb.value)
    climb.likelihood.fill(climb.weights.detach())
    smaller = prune(labeller)
    record = {
        "passes": PASSES,
        "iterations": blocks * ITERATIONS,
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


def approach(likelihood: Likelihood, passes: int, random: torch.Generator) -> Tensor:
    """Weights to climb from: some passes of AdaGrad over the chunks in random order (Duchi, Hazan and Singer, 2011).

    L-BFGS spends most of its iterations on what a step after every few hundred sentences finds sooner.
    """
    network = likelihood.labeller.network
    table, moved = network.votes.weight.detach(), [score.detach() for score in network.crf.scores()]
    squares = torch.full_like(table, LEAST_SQUARE)
    other_squares = [torch.full_like(score, LEAST_SQUARE) for score in moved]
    for _ in range(passes):
        for number in tqdm(
            torch.randperm(len(likelihood.chunks), generator=random).tolist(), desc="pass", unit="chunk"
        ):
            chunk = likelihood.chunks[number]
            slope = slope_of(chunk, table, network.crf.scores())
            rows = slope.votes * likelihood.seen[chunk.distinct]
            squares[chunk.distinct] += rows * rows
            table[chunk.distinct] += RATE * rows / squares[chunk.distinct].sqrt()
            for score, square, way in zip(moved, other_squares, (slope.moves, *slope.ends), strict=True):
                square += way * way
                score += RATE * way / square.sqrt()
    return likelihood.read()


class Climb:
    """A climb by L-BFGS in progress."""

    def __init__(self, likelihood: Likelihood):
        self.likelihood = likelihood
        self.weights = torch.zeros(len(likelihood), dtype=torch.float64, requires_grad=True)
        self.optimiser = torch.optim.LBFGS([self.weights], lr=1, history_size=HISTORY, line_search_fn="strong_wolfe")
        self.blocks = 0
        self.value = 0.0

    def ascend(self, iterations: int) -> None:
        """Take a block of steps up."""
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
        self.blocks, self.value = state["blocks"], state["value"]


def _features(sentences: list[TaggedSentence], language: str) -> Vocabulary:
    describe = TEMPLATES[language]
    return Vocabulary.counted(
        chain.from_iterable(chain.from_iterable(describe(sentence.units)) for sentence in sentences), RAREST
    )


def _label_names(sentences: list[TaggedSentence]) -> list[str]:
    return Vocabulary.counted(chain.from_iterable(map(labels_of, sentences))).symbols
