"""BiLSTM-CRF: a bidirectional LSTM reads the sentence, a CRF chooses its labels as a whole.

Huang, Xu and Yu, 2015, "Bidirectional LSTM-CRF models for sequence tagging", arXiv:1508.01991. Departures: the
units are Chinese characters with the two character bigrams around each (Chen et al., 2015, "Long short-term memory
neural networks for Chinese word segmentation", section 3), not words with spelling features.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor, nn

from model_serving.models import artifact
from model_serving.models.layers import eight_bit
from model_serving.models.layers.linear_chain import Chain
from model_serving.models.layers.precision import fast_bfloat16
from model_serving.models.layers.random_field import CRF
from model_serving.models.layers.recurrent import BidirectionalLSTM
from model_serving.models.ngrams import NGrams
from model_serving.models.taggers import bilstm_crf_words, characters, schemes, tagger
from model_serving.models.taggers.bilstm_crf_words import WordBiLSTMCRFLabeller
from model_serving.models.taggers.labelling import Labelling, Reading, read_labels, temperature_of
from model_serving.models.taggers.tagger import Tagger
from model_serving.models.vocabulary import PADDING

VARIANTS = ("zh-pos", "zh-ner", "en-pos", "en-ner")


class BiLSTMCRFNetwork(nn.Module):
    """Characters and bigrams to emissions, and the CRF that reads them.

    Args:
        characters, bigrams: sizes of the two vocabularies, padding and unknown included.
        labels: how many labels there are.
        character_size, bigram_size: sizes of the embeddings.
        hidden_size: size of the state of each direction.
        dropout: share of the embedding and state values left out in training.
        allowed: which moves the labels' scheme permits when decoding.
    """

    def __init__(
        self,
        *,
        characters: int,
        bigrams: int,
        labels: int,
        character_size: int,
        bigram_size: int,
        hidden_size: int,
        dropout: float = 0.0,
        allowed: Chain | None = None,
    ):
        super().__init__()
        self.character_embedding = nn.Embedding(characters, character_size, padding_idx=PADDING)
        self.bigram_embedding = nn.Embedding(bigrams, bigram_size, padding_idx=PADDING, sparse=True)
        self.lstm = BidirectionalLSTM(character_size + 2 * bigram_size, hidden_size)
        self.emission = nn.Linear(2 * hidden_size, labels)
        self.dropout = nn.Dropout(dropout)
        self.crf = CRF(labels, allowed)

    def forward(self, characters: Tensor, bigrams: Tensor, lengths: Tensor) -> Tensor:
        """Score every label at every position.

        Args:
            characters: (batch, time) int64, 0 is padding.
            bigrams: (batch, time + 1) int64; columns t and t + 1 end and start at character t.
            lengths: (batch,) int64, 1..time.

        Returns:
            (batch, time, labels) float32, to be read by ``crf``.
        """
        pairs = self.bigram_embedding(bigrams)
        embedded = torch.cat([self.character_embedding(characters), pairs[:, :-1], pairs[:, 1:]], dim=2)
        states = self.lstm(self.dropout(embedded), lengths)
        scores: Tensor = self.emission(self.dropout(states))
        return scores.float()


class BiLSTMCRFLabeller:
    """Labels sentences with a trained network."""

    temperature = 1.0
    """Divides the scores before they become confidences; a card may hold another."""

    def __init__(self, network: BiLSTMCRFNetwork, characters: NGrams, bigrams: NGrams, labels: list[str]):
        self.network = network
        self.characters = characters
        self.bigrams = bigrams
        self.labels = labels

    def encode(self, sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor, Tensor]:
        """Number the characters and bigrams of non-empty sentences: the arguments of the network."""
        return characters.encode(sentences, self.characters, self.bigrams)

    @property
    def architecture(self) -> dict[str, int]:
        """The sizes :func:`build` takes."""
        return {
            "character_size": self.network.character_embedding.embedding_dim,
            "bigram_size": self.network.bigram_embedding.embedding_dim,
            "hidden_size": self.network.emission.in_features // 2,
        }

    def weights(self) -> dict[str, Tensor]:
        """The network's tensors as they are stored."""
        return eight_bit.pack_tables(self.network.state_dict())

    def vocabulary(self) -> dict[str, list[str]]:
        """The lists of symbols :func:`build` takes."""
        return {"characters": self.characters.symbols, "bigrams": self.bigrams.symbols, "labels": self.labels}

    @torch.inference_mode()
    def label(self, sentences: Sequence[Sequence[str]], how: Reading) -> list[Labelling]:
        """See :class:`model_serving.models.taggers.tagger.Labeller`."""
        characters, bigrams, lengths = self.encode(sentences)
        emissions = self.network(characters, bigrams, lengths)
        chain = self.network.crf.constrained_scores()
        return read_labels(emissions, sentences, lengths, chain, self.labels, how, self.temperature)


def build(vocabulary: dict[str, list[str]], architecture: dict[str, int], dropout: float = 0.0) -> BiLSTMCRFLabeller:
    """An untrained labeller over ``characters``, ``bigrams`` and ``labels``, of the sizes in ``architecture``."""
    singles, pairs = NGrams(vocabulary["characters"], 1), NGrams(vocabulary["bigrams"], 2)
    labels = vocabulary["labels"]
    network = BiLSTMCRFNetwork(
        characters=len(singles),
        bigrams=len(pairs),
        labels=len(labels),
        dropout=dropout,
        allowed=schemes.allowed(labels),
        **architecture,
    )
    return BiLSTMCRFLabeller(network, singles, pairs, labels)


def load_labeller(folder: Path) -> BiLSTMCRFLabeller | WordBiLSTMCRFLabeller:
    """The labeller of one trained variant, ready to run; its LSTM in bfloat16 where that is faster."""
    trained = artifact.load(folder)
    trained = replace(trained, weights=eight_bit.unpack(trained.weights))
    kind = bilstm_crf_words.build if "words" in trained.vocabulary else build
    labeller = kind(trained.vocabulary, trained.card["architecture"])
    trained.fill(labeller.network)
    labeller.temperature = temperature_of(trained.card)
    if fast_bfloat16():
        labeller.network.lstm.bfloat16()
    return labeller


def load(folder: Path) -> Tagger:
    """The served tagger over the trained variants in ``folder``."""
    return tagger.load(folder, load_labeller, VARIANTS)
