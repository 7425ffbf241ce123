"""What the BiLSTM-CRF over English words starts from: its vocabulary, and word vectors learnt from plain text."""

from itertools import chain

import torch
from torch import nn

from model_serving.models import artifact
from model_serving.models.packing import unpack
from model_serving.models.taggers.bilstm_crf_words import WordBiLSTMCRFLabeller, build, plain
from model_serving.models.vocabulary import Vocabulary
from model_serving.training.datasets.corpus import TaggedSentence, labels_of
from model_serving.utils.settings import DATA

ARCHITECTURE = {"word_size": 100, "letter_size": 25, "filters": 50, "hidden_size": 128}
DROPOUT = 0.4
RAREST_WORD = 2
RAREST_LETTER = 10
VECTORS = DATA / "word2vec" / "en-skipgram-neg"
MOST_VECTORS = 12_000
"""Of the most frequent words of plain text that are known besides those of the training part."""
SPREAD = 0.3
"""Standard deviation of the entries of the vectors that training starts from."""


def start(sentences: list[TaggedSentence], dropout: float) -> WordBiLSTMCRFLabeller:
    """A labeller over the words of ``sentences`` and those that have vectors, which it starts from."""
    words = [plain(word) for sentence in sentences for word in sentence.units]
    pretrained = vectors()
    known = Vocabulary.counted(words, RAREST_WORD).symbols
    letters = Vocabulary.counted(chain.from_iterable(chain.from_iterable(s.units for s in sentences)), RAREST_LETTER)
    labels = Vocabulary.counted(chain.from_iterable(map(labels_of, sentences)))
    vocabulary = {
        "words": [*known, *sorted(pretrained.keys() - set(known))],
        "letters": letters.symbols,
        "labels": labels.symbols,
    }
    labeller = build(vocabulary, ARCHITECTURE, dropout)
    table = labeller.network.word_embedding.weight.data
    nn.init.normal_(table[1:], std=SPREAD)
    rows = labeller.words.numbers(pretrained)
    table[rows] = torch.stack(list(pretrained.values())) * SPREAD
    return labeller


def vectors() -> dict[str, torch.Tensor]:
    """The committed skip-gram vectors of frequent words, in the spelling of the vocabulary, of unit variance."""
    trained = artifact.load(VECTORS)
    rows = unpack(trained.weights)[:MOST_VECTORS]
    rows = rows / rows.std()
    found: dict[str, torch.Tensor] = {}
    for word, row in zip(trained.vocabulary["words"], rows, strict=False):
        found.setdefault(plain(word), row)
    return found
