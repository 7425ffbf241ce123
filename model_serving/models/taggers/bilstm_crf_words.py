"""The BiLSTM-CRF over English words, each known by itself and by its spelling.

Huang, Xu and Yu, 2015, arXiv:1508.01991, with a convolution over the letters of a word in place of their spelling
features (Ma and Hovy, 2016, "End-to-end sequence labeling via bi-directional LSTM-CNNs-CRF", section 2.1): its filters
look at three letters, and each gives the most it found anywhere in the word.
"""

import re
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from model_serving.models.layers import eight_bit
from model_serving.models.layers.linear_chain import Chain
from model_serving.models.layers.random_field import CRF
from model_serving.models.layers.recurrent import BidirectionalLSTM
from model_serving.models.taggers import schemes
from model_serving.models.taggers.labelling import Labelling, Reading, read_labels
from model_serving.models.vocabulary import PADDING, Vocabulary

LETTERS = 20
"""Of a word that are read; of a longer one the first and the last half of them."""

_DIGIT = re.compile(r"\d")


class WordBiLSTMCRFNetwork(nn.Module):
    """Words and their letters to emissions, and the CRF that reads them.

    Args:
        words, letters: sizes of the two vocabularies, padding and unknown included.
        labels: how many labels there are.
        word_size, letter_size: sizes of the embeddings.
        filters: how many the convolution has.
        hidden_size: size of the state of each direction.
        dropout: share of the embedding and state values left out in training.
        allowed: which moves the labels' scheme permits when decoding.
    """

    def __init__(
        self,
        *,
        words: int,
        letters: int,
        labels: int,
        word_size: int,
        letter_size: int,
        filters: int,
        hidden_size: int,
        dropout: float = 0.0,
        allowed: Chain | None = None,
    ):
        super().__init__()
        self.word_embedding = nn.Embedding(words, word_size, padding_idx=PADDING, sparse=True)
        self.letter_embedding = nn.Embedding(letters, letter_size, padding_idx=PADDING)
        self.convolution = nn.Conv1d(letter_size, filters, kernel_size=3, padding=1)
        self.lstm = BidirectionalLSTM(word_size + filters, hidden_size)
        self.emission = nn.Linear(2 * hidden_size, labels)
        self.dropout = nn.Dropout(dropout)
        self.crf = CRF(labels, allowed)

    def forward(self, words: Tensor, spellings: Tensor, spelling: Tensor, lengths: Tensor) -> Tensor:
        """Score every label at every word.

        Args:
            words: (batch, time) int64, 0 is padding.
            spellings: (distinct, letters) int64, the letters of each word that occurs, 0 is padding.
            spelling: (batch, time) int64, the row of each word in ``spellings``.
            lengths: (batch,) int64, 1..time.

        Returns:
            (batch, time, labels) float32, to be read by ``crf``.
        """
        letters = self.dropout(self.letter_embedding(spellings))
        found = self.convolution(letters.transpose(1, 2))
        found = found.masked_fill((spellings == PADDING).unsqueeze(1), -torch.inf).amax(2)
        embedded = torch.cat([self.word_embedding(words), found[spelling]], dim=2)
        states = self.lstm(self.dropout(embedded), lengths)
        scores: Tensor = self.emission(self.dropout(states))
        return scores.float()


class WordBiLSTMCRFLabeller:
    """Labels sentences of words with a trained network."""

    temperature = 1.0
    """Divides the scores before they become confidences; a card may hold another."""

    def __init__(self, network: WordBiLSTMCRFNetwork, words: Vocabulary, letters: Vocabulary, labels: list[str]):
        self.network = network
        self.words = words
        self.letters = letters
        self.labels = labels

    def encode(self, sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Number the words and letters of non-empty sentences: the arguments of the network."""
        distinct = {word: row for row, word in enumerate(dict.fromkeys(w for sentence in sentences for w in sentence))}
        spellings = [self.letters.numbers(ends_of(word)) for word in distinct]
        rows = [row + [PADDING] * (LETTERS - len(row)) for row in spellings]
        words = [torch.tensor(self.words.numbers(map(plain, sentence))) for sentence in sentences]
        spelling = [torch.tensor([distinct[word] for word in sentence]) for sentence in sentences]
        lengths = torch.tensor([len(sentence) for sentence in sentences])
        return (
            pad_sequence(words, batch_first=True, padding_value=PADDING),
            torch.tensor(rows),
            pad_sequence(spelling, batch_first=True),
            lengths,
        )

    @property
    def architecture(self) -> dict[str, Any]:
        """The sizes :func:`build` takes."""
        return {
            "word_size": self.network.word_embedding.embedding_dim,
            "letter_size": self.network.letter_embedding.embedding_dim,
            "filters": self.network.convolution.out_channels,
            "hidden_size": self.network.emission.in_features // 2,
        }

    def weights(self) -> dict[str, Tensor]:
        """The network's tensors as they are stored."""
        return eight_bit.pack_tables(self.network.state_dict())

    def vocabulary(self) -> dict[str, list[str]]:
        """The lists of symbols :func:`build` takes."""
        return {"words": self.words.symbols, "letters": self.letters.symbols, "labels": self.labels}

    @torch.inference_mode()
    def label(self, sentences: Sequence[Sequence[str]], how: Reading) -> list[Labelling]:
        """See :class:`model_serving.models.taggers.tagger.Labeller`."""
        *read, lengths = self.encode(sentences)
        emissions = self.network(*read, lengths)
        chain = self.network.crf.constrained_scores()
        return read_labels(emissions, sentences, lengths, chain, self.labels, how, self.temperature)


def plain(word: str) -> str:
    """A word as the vocabulary holds it: in small letters, all digits alike."""
    return _DIGIT.sub("0", word.lower())


def ends_of(word: str) -> str:
    """The letters of a word that are read."""
    return word if len(word) <= LETTERS else word[: LETTERS // 2] + word[-LETTERS // 2 :]


def build(
    vocabulary: dict[str, list[str]], architecture: dict[str, int], dropout: float = 0.0
) -> WordBiLSTMCRFLabeller:
    """An untrained labeller over ``words``, ``letters`` and ``labels``, of the sizes in ``architecture``."""
    words, letters = Vocabulary(vocabulary["words"]), Vocabulary(vocabulary["letters"])
    labels = vocabulary["labels"]
    network = WordBiLSTMCRFNetwork(
        words=len(words),
        letters=len(letters),
        labels=len(labels),
        dropout=dropout,
        allowed=schemes.allowed(labels),
        **architecture,
    )
    return WordBiLSTMCRFLabeller(network, words, letters, labels)
