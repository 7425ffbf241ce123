"""Lattice LSTM: reads Chinese character by character, and every word of a lexicon that could stand there.

Zhang and Yang, 2018, "Chinese NER using lattice LSTM", arXiv:1805.02023; :mod:`model_serving.models.layers.lattice`
holds its cell. Departure: a character comes with the bigrams on both sides, not with the one behind it alone.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor, nn

from model_serving.models import artifact
from model_serving.models.layers import eight_bit
from model_serving.models.layers.lattice import LatticeLSTM, Matches
from model_serving.models.layers.linear_chain import Chain
from model_serving.models.layers.random_field import CRF
from model_serving.models.ngrams import NGrams
from model_serving.models.taggers import characters, schemes, tagger
from model_serving.models.taggers.labelling import Labelling, Reading, read_labels, temperature_of
from model_serving.models.taggers.lexicon import Lexicon
from model_serving.models.taggers.tagger import Tagger
from model_serving.models.vocabulary import PADDING

VARIANTS = ("zh-ner",)


class LatticeLSTMNetwork(nn.Module):
    """Characters, bigrams and words to emissions, and the CRF that reads them.

    Args:
        characters, bigrams, words: sizes of the three vocabularies, padding and unknown included.
        labels: how many labels there are.
        character_size, bigram_size, word_size: sizes of the embeddings.
        hidden_size: size of the state of each direction.
        dropout: share of the embedding and state values left out in training.
        allowed: which moves the labels' scheme permits when decoding.
    """

    def __init__(
        self,
        *,
        characters: int,
        bigrams: int,
        words: int,
        labels: int,
        character_size: int,
        bigram_size: int,
        word_size: int,
        hidden_size: int,
        dropout: float = 0.0,
        allowed: Chain | None = None,
    ):
        super().__init__()
        self.character_embedding = nn.Embedding(characters, character_size, padding_idx=PADDING)
        self.bigram_embedding = nn.Embedding(bigrams, bigram_size, padding_idx=PADDING, sparse=True)
        self.word_embedding = nn.Embedding(words, word_size, padding_idx=PADDING, sparse=True)
        self.lattice = LatticeLSTM(character_size + 2 * bigram_size, word_size, hidden_size)
        self.emission = nn.Linear(2 * hidden_size, labels)
        self.dropout = nn.Dropout(dropout)
        self.crf = CRF(labels, allowed)

    def forward(self, characters: Tensor, bigrams: Tensor, matches: Matches, lengths: Tensor) -> Tensor:
        """Score every label at every position.

        Args:
            characters: (batch, time) int64, 0 is padding.
            bigrams: (batch, time + 1) int64; columns t and t + 1 end and start at character t.
            matches: the words of the lexicon in the sentences.
            lengths: (batch,) int64, 1..time.

        Returns:
            (batch, time, labels) float32, to be read by ``crf``.
        """
        pairs = self.bigram_embedding(bigrams)
        embedded = torch.cat([self.character_embedding(characters), pairs[:, :-1], pairs[:, 1:]], dim=2)
        states = self.lattice(self.dropout(embedded), lengths, self._vectors, matches)
        scores: Tensor = self.emission(self.dropout(states))
        return scores

    def _vectors(self, words: Tensor) -> Tensor:
        vectors: Tensor = self.dropout(self.word_embedding(words))
        return vectors


class LatticeLSTMLabeller:
    """Labels sentences with a trained network."""

    temperature = 1.0
    """Divides the scores before they become confidences; a card may hold another."""

    def __init__(
        self, network: LatticeLSTMNetwork, characters: NGrams, bigrams: NGrams, lexicon: Lexicon, labels: list[str]
    ):
        self.network = network
        self.characters = characters
        self.bigrams = bigrams
        self.lexicon = lexicon
        self.labels = labels

    def encode(self, sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor, Matches, Tensor]:
        """Number what non-empty sentences hold: the arguments of the network."""
        singles, pairs, lengths = characters.encode(sentences, self.characters, self.bigrams)
        return singles, pairs, self.lexicon.matches(sentences), lengths

    @property
    def architecture(self) -> dict[str, int]:
        """The sizes :func:`build` takes."""
        return {
            "character_size": self.network.character_embedding.embedding_dim,
            "bigram_size": self.network.bigram_embedding.embedding_dim,
            "word_size": self.network.word_embedding.embedding_dim,
            "hidden_size": self.network.emission.in_features // 2,
        }

    def weights(self) -> dict[str, Tensor]:
        """The network's tensors as they are stored."""
        return eight_bit.pack_tables(self.network.state_dict())

    def vocabulary(self) -> dict[str, list[str]]:
        """The lists of symbols :func:`build` takes."""
        return {
            "characters": self.characters.symbols,
            "bigrams": self.bigrams.symbols,
            "words": self.lexicon.words,
            "labels": self.labels,
        }

    @torch.inference_mode()
    def label(self, sentences: Sequence[Sequence[str]], how: Reading) -> list[Labelling]:
        """See :class:`model_serving.models.taggers.tagger.Labeller`."""
        *read, lengths = self.encode(sentences)
        emissions = self.network(*read, lengths)
        chain = self.network.crf.constrained_scores()
        return read_labels(emissions, sentences, lengths, chain, self.labels, how, self.temperature)


def build(vocabulary: dict[str, list[str]], architecture: dict[str, int], dropout: float = 0.0) -> LatticeLSTMLabeller:
    """An untrained labeller over ``characters``, ``bigrams``, ``words`` and ``labels``, of the given sizes."""
    singles, pairs = NGrams(vocabulary["characters"], 1), NGrams(vocabulary["bigrams"], 2)
    lexicon, labels = Lexicon(vocabulary["words"]), vocabulary["labels"]
    network = LatticeLSTMNetwork(
        characters=len(singles),
        bigrams=len(pairs),
        words=len(lexicon),
        labels=len(labels),
        dropout=dropout,
        allowed=schemes.allowed(labels),
        **architecture,
    )
    return LatticeLSTMLabeller(network, singles, pairs, lexicon, labels)


def load_labeller(folder: Path) -> LatticeLSTMLabeller:
    """The labeller of one trained variant, ready to run."""
    trained = artifact.load(folder)
    labeller = build(trained.vocabulary, trained.card["architecture"])
    replace(trained, weights=eight_bit.unpack(trained.weights)).fill(labeller.network)
    labeller.temperature = temperature_of(trained.card)
    return labeller


def load(folder: Path) -> Tagger:
    """The served tagger over the trained variants in ``folder``."""
    return tagger.load(folder, load_labeller, VARIANTS)
