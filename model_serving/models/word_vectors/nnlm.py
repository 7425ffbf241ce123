"""NNLM: the next word's probabilities from the vectors of the words before it; the model the others grew from.

Bengio, Ducharme, Vincent and Jauvin, 2003, "A neural probabilistic language model", JMLR 3: equation 1, with direct
connections from the vectors to the output.
"""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from model_serving.models import artifact
from model_serving.models.artifact import Artifact
from model_serving.models.space import DECIMALS, Space
from model_serving.models.word_vectors.vectors import Answer, WordVectors
from model_serving.models.word_vectors.words import Words

START, UNKNOWN = 0, 1
RESERVED = 2
"""Rows before those of the words: what stands before a sentence, and all other words."""


class NNLMNetwork(nn.Module):
    """The words before to what the next word is scored by.

    Args:
        rows: the words and the reserved rows.
        size: of the vectors.
        hidden_size: of the hidden layer.
        before: how many words are looked at.
    """

    def __init__(self, *, rows: int, size: int, hidden_size: int, before: int):
        super().__init__()
        self.before = before
        self.embedding = nn.Embedding(rows, size, sparse=True)
        self.hidden = nn.Linear(before * size, hidden_size)
        self.output = nn.Embedding(rows, hidden_size + before * size + 1, sparse=True)

    def forward(self, contexts: Tensor) -> Tensor:
        """Features: (batch, before) int64 -> (batch, hidden_size + before * size + 1).

        A row of ``output`` holds the weights of a word: of the hidden layer, of the direct connections, its bias.
        """
        read = self.embedding(contexts).flatten(1)
        return torch.cat([torch.tanh(self.hidden(read)), read, read.new_ones(len(read), 1)], dim=1)

    def log_probabilities(self, contexts: Tensor) -> Tensor:
        """Of every row to come next: (batch, rows); START never does."""
        scores: Tensor = self(contexts) @ self.output.weight.T
        scores[:, START] = -torch.inf
        return scores.log_softmax(1)


class LanguageModel:
    """Answers questions about words, and which word comes next.

    Args:
        network: trained, in double precision, so that an answer does not depend on its batch.
        words: the vocabulary.
        variant: the name of the space of its vectors.
    """

    def __init__(self, network: NNLMNetwork, words: Words, variant: str):
        self._network = network
        self._words = words
        self._vectors = WordVectors({variant: Space(words, network.embedding.weight[RESERVED:].float())})

    def cost(self, item: str | list[str]) -> int:
        """The work an item makes."""
        return self._vectors.cost(item)

    def predict(self, items: list[Any], *, action: str, top: int = 10, **options: Any) -> list[Any]:
        """Answer each item: for ``next``, words that a sentence begins with; else see :class:`WordVectors`."""
        if action != "next":
            return self._vectors.predict(items, action=action, top=top, **options)
        contexts = torch.tensor([self._context(item) for item in items])
        best = self._network.log_probabilities(contexts)[:, RESERVED:].exp().topk(min(top, len(self._words)))
        return [
            self._answer(item, rows, probabilities)
            for item, rows, probabilities in zip(items, best.indices.tolist(), best.values.tolist(), strict=True)
        ]

    def _context(self, item: list[str]) -> list[int]:
        """The rows of the last words, and of START where there are too few."""
        before = self._network.before
        rows = [UNKNOWN if (row := self._words.row(word)) is None else row + RESERVED for word in item[-before:]]
        return [START] * (before - len(rows)) + rows

    def _answer(self, item: list[str], rows: list[int], probabilities: list[float]) -> Answer:
        found = sorted((-round(p, DECIMALS), row) for row, p in zip(rows, probabilities, strict=True))
        return {
            "context": item,
            "known": [self._words.row(word) is not None for word in item],
            "next": [{"word": self._words.symbols[row], "probability": -negative} for negative, row in found],
        }


def build(vocabulary: dict[str, list[str]], architecture: dict[str, int]) -> NNLMNetwork:
    """An untrained network over ``words``, of the sizes in ``architecture``."""
    sizes = {name: architecture[name] for name in ("size", "hidden_size", "before")}
    return NNLMNetwork(rows=len(vocabulary["words"]) + RESERVED, **sizes)


def load_network(folder: Path) -> tuple[NNLMNetwork, Artifact]:
    """The network of one trained variant, in double precision."""
    trained = artifact.load(folder)
    network = build(trained.vocabulary, trained.card["architecture"])
    trained.fill(network)
    return network.double(), trained


def load_space(trained: Artifact) -> Space:
    """The space of the vectors of one trained variant."""
    vectors = trained.weights["embedding.weight"][RESERVED:].float()
    return Space(Words(trained.vocabulary["words"]), vectors)


def load(folder: Path) -> LanguageModel:
    """The served model over the trained variant ``zh`` in ``folder``."""
    network, trained = load_network(folder / "zh")
    return LanguageModel(network, Words(trained.vocabulary["words"]), "zh")
