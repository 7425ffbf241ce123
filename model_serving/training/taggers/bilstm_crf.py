"""Train the BiLSTM-CRF tagger.

Chinese is read in characters and bigrams, English in words (:mod:`.bilstm_crf_words`).

Dropout on embeddings and states; the descent is that of :mod:`.optimisation`.
"""

from itertools import chain
from pathlib import Path
from typing import Any

import torch

from model_serving.models.languages import ENGLISH
from model_serving.models.taggers.bilstm_crf import BiLSTMCRFLabeller, build
from model_serving.models.taggers.bilstm_crf_words import WordBiLSTMCRFLabeller
from model_serving.models.taggers.characters import bigrams_of
from model_serving.models.vocabulary import Vocabulary
from model_serving.training.datasets.corpus import Corpus, TaggedSentence, labels_of
from model_serving.training.taggers import bilstm_crf_words
from model_serving.training.taggers.optimisation import descend

PAPER = "Huang, Xu and Yu, 2015, Bidirectional LSTM-CRF Models for Sequence Tagging, arXiv:1508.01991"
ARCHITECTURE = {"character_size": 96, "bigram_size": 48, "hidden_size": 256}
DROPOUT = 0.4
EPOCHS = {"zh": 18, "en": 12}
MOST_WORDS = 5_000_000
"""Of English in all epochs, which a large corpus reaches in fewer."""
BATCH_UNITS = {"zh": 2560, "en": 1024}
"""Characters or words of a batch, padding included."""
RAREST_CHARACTER = 2
RAREST_BIGRAM = 4

AnyLabeller = BiLSTMCRFLabeller | WordBiLSTMCRFLabeller


def vocabulary(sentences: list[TaggedSentence]) -> dict[str, list[str]]:
    """The characters, bigrams and labels of the training part; rarer ones teach the network the unknown."""
    texts = [sentence.units for sentence in sentences]
    labels = Vocabulary.counted(chain.from_iterable(map(labels_of, sentences)))
    return {
        "characters": Vocabulary.counted(chain.from_iterable(texts), RAREST_CHARACTER).symbols,
        "bigrams": Vocabulary.counted(chain.from_iterable(map(bigrams_of, texts)), RAREST_BIGRAM).symbols,
        "labels": labels.symbols,
    }


def train(
    corpus: Corpus, checkpoint: Path, *, seed: int, epochs: int | None = None
) -> tuple[AnyLabeller, dict[str, Any]]:
    """Train on ``corpus.train``, keep the best epoch on ``corpus.dev``; picks up at ``checkpoint`` where it exists.

    Returns the labeller and a record of the training for its card.
    """
    torch.manual_seed(seed)
    most = BATCH_UNITS[corpus.language]
    if corpus.language == ENGLISH:
        labeller: AnyLabeller = bilstm_crf_words.start(corpus.train, bilstm_crf_words.DROPOUT)
    else:
        labeller = build(vocabulary(corpus.train), ARCHITECTURE, DROPOUT)
    record = descend(labeller, corpus, checkpoint, seed=seed, epochs=epochs or _epochs(corpus), most=most)
    return labeller, record


def _epochs(corpus: Corpus) -> int:
    most = EPOCHS[corpus.language]
    words = sum(len(sentence.units) for sentence in corpus.train)
    return max(1, min(most, MOST_WORDS // words)) if corpus.language == ENGLISH else most
