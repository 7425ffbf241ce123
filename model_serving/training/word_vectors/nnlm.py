"""Train the NNLM on the People's Daily, and measure how well it foresees the words held out.

Departure from the paper: in training a word is told from words drawn by their frequency, the softmax over these
corrected for how likely each was drawn (Bengio and Senécal, 2003, "Quick training of probabilistic neural nets by
importance sampling", AISTATS), and AdaGrad takes the steps. The perplexity is measured over all words.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from model_serving.models.layers.noise import Noise
from model_serving.models.word_vectors.nnlm import RESERVED, START, UNKNOWN, NNLMNetwork
from model_serving.models.word_vectors.words import Words
from model_serving.training.datasets.corpus import Corpus
from model_serving.training.datasets.zh_text import daily
from model_serving.training.word_vectors import schedule
from model_serving.training.word_vectors.text import encode

PAPER = "Bengio, Ducharme, Vincent and Jauvin, 2003, A Neural Probabilistic Language Model, JMLR 3"
SIZE = 60
HIDDEN_SIZE = 60
BEFORE = 3
WORDS = 10_000
LEAST = 3
BATCH = 512
DRAWN = 1000
RATE = 0.1
EPOCHS = 3


class Steps(NamedTuple):
    """Words to foresee: ``contexts`` (steps, before) and ``targets`` (steps,), rows of the network."""

    contexts: Tensor
    targets: Tensor


def steps(sentences: Iterable[Sequence[str]], words: Words, before: int = BEFORE) -> Steps:
    """Every word of the sentences after the words before it."""
    rows = []
    for sentence in sentences:
        found = [UNKNOWN if (row := words.row(word)) is None else row + RESERVED for word in sentence]
        padded = [START] * before + found
        rows += [padded[place : place + before + 1] for place in range(len(found))]
    table = torch.tensor(rows)
    return Steps(table[:, :-1], table[:, -1])


@dataclass(frozen=True)
class Shuffled:
    """The steps of a text in batches."""

    steps: Steps

    def epoch(self, random: torch.Generator) -> Iterator[tuple[float, Steps]]:
        """All steps once in random order; with each batch the share of the epoch done after it."""
        batches = torch.split(torch.randperm(len(self.steps.targets), generator=random), BATCH)
        for done, places in enumerate(batches, 1):
            yield done / len(batches), Steps(self.steps.contexts[places], self.steps.targets[places])


class NNLMLearner:
    """Learns to tell the next word from drawn ones.

    Args:
        network: trained in place.
        targets: (steps,), whose frequencies the words are drawn by.
    """

    def __init__(self, network: NNLMNetwork, targets: Tensor):
        self.network = network
        counts = torch.bincount(targets, minlength=network.output.num_embeddings)
        self._shares = counts / counts.sum()
        self._noise = Noise(counts, power=1)
        self._optimiser = torch.optim.Adagrad(network.parameters(), lr=RATE)

    def learn(self, batch: Steps, rate: float, random: torch.Generator) -> float:
        """See :class:`model_serving.training.word_vectors.schedule.Learner`."""
        loss = self.loss(batch, self._noise.draw(DRAWN, random))
        self._optimiser.param_groups[0]["lr"] = rate
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        with _unchecked():
            self._optimiser.step()
        return float(loss.detach())

    def loss(self, batch: Steps, drawn: Tensor) -> Tensor:
        """The mean loss of telling each target from the ``drawn`` rows (k,) that are not it."""
        features = self.network(batch.contexts)
        right = (features * self.network.output(batch.targets)).sum(1, keepdim=True)
        others = features @ self.network.output(drawn).T - (self._shares[drawn] * len(drawn)).log()
        others = others.masked_fill(batch.targets.unsqueeze(1) == drawn, -torch.inf)
        return cross_entropy(torch.cat([right, others], dim=1), torch.zeros(len(right), dtype=torch.int64))

    def state(self) -> dict[str, Tensor]:
        """See :class:`model_serving.training.word_vectors.schedule.Learner`."""
        weights = {name: parameter.detach() for name, parameter in self.network.named_parameters()}
        state = self._optimiser.state
        squares = {f"{name} squares": state[p]["sum"] for name, p in self.network.named_parameters()}
        return weights | squares


def train(corpus: Corpus, checkpoint: Path, *, seed: int) -> tuple[NNLMNetwork, Words, dict[str, Any]]:
    """Train on ``corpus.train``; picks up at ``checkpoint`` where it exists.

    Returns the network, its words and a record of the training for the card.
    """
    sentences = list(daily(corpus.train))
    words = encode(sentences, most=WORDS, least=LEAST).words
    torch.manual_seed(seed)
    network = NNLMNetwork(rows=len(words) + RESERVED, size=SIZE, hidden_size=HIDDEN_SIZE, before=BEFORE)
    for table in (network.embedding, network.output):
        nn.init.uniform_(table.weight, -0.05, 0.05)
    learnt = steps(sentences, words)
    record = schedule.run(
        NNLMLearner(network, learnt.targets), Shuffled(learnt), checkpoint, epochs=EPOCHS, rate=RATE, seed=seed
    )
    return network, words, record | {"tokens": len(learnt.targets)}


def _unchecked() -> Any:
    """Sparse gradients are sound; torch warns where it is not told whether to check them."""
    return torch.sparse.check_sparse_tensor_invariants(False)  # type: ignore[no-untyped-call]


def perplexity(network: NNLMNetwork, held_out: Steps) -> float:
    """Of held-out words, those outside the vocabulary counted as one word: e to the mean of -log P."""
    total = 0.0
    with torch.inference_mode():
        for places in torch.split(torch.arange(len(held_out.targets)), BATCH):
            found = network.log_probabilities(held_out.contexts[places])
            total -= float(found.gather(1, held_out.targets[places].unsqueeze(1)).sum())
    return exp(total / len(held_out.targets))


def unigram_perplexity(learnt: Tensor, held_out: Tensor) -> float:
    """Of the same words by their frequency alone, one added to every count of rows that can come next."""
    counts = Counter(learnt.tolist())
    number = int(max(learnt.max(), held_out.max()))
    total = len(learnt) + number
    return exp(-sum(log((counts[row] + 1) / total) for row in held_out.tolist()) / len(held_out))
