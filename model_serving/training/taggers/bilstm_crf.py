"""Train the BiLSTM-CRF tagger.

Chinese is read in characters and bigrams (:mod:`.chinese`), English in words (:mod:`.bilstm_crf_words`).

Dropout on embeddings and states; the descent is that of :mod:`.optimisation`.
"""

from pathlib import Path
from typing import Any

import torch

from model_serving.models.languages import ENGLISH
from model_serving.models.taggers.bilstm_crf import BiLSTMCRFLabeller, build
from model_serving.models.taggers.bilstm_crf_words import WordBiLSTMCRFLabeller
from model_serving.training.datasets.corpus import Corpus
from model_serving.training.taggers import bilstm_crf_words, chinese
from model_serving.training.taggers.optimisation import descend

PAPER = "Huang, Xu and Yu, 2015, Bidirectional LSTM-CRF Models for Sequence Tagging, arXiv:1508.01991"
ARCHITECTURE = {**chinese.SIZES, "hidden_size": 256}
DROPOUT = 0.4
EPOCHS = {"zh": 18, "en": 12}
MOST_WORDS = 5_000_000
"""Of English in all epochs, which a large corpus reaches in fewer."""
BATCH_UNITS = {"zh": 2560, "en": 1024}
"""Characters or words of a batch, padding included."""
PACKAGES = chinese.PACKAGES

AnyLabeller = BiLSTMCRFLabeller | WordBiLSTMCRFLabeller


def sources(corpus: Corpus) -> list[dict[str, Any]]:
    """What training on a corpus reads, for the card."""
    return [corpus.source] if corpus.language == ENGLISH else chinese.sources(corpus.source)


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
        labeller = build(chinese.vocabulary(corpus.train), ARCHITECTURE, DROPOUT)
        chinese.fill_characters_and_bigrams(labeller.network, labeller.vocabulary(), chinese.text(), checkpoint, seed)
    record = descend(labeller, corpus, checkpoint, seed=seed, epochs=epochs or _epochs(corpus), most=most)
    return labeller, record


def _epochs(corpus: Corpus) -> int:
    most = EPOCHS[corpus.language]
    words = sum(len(sentence.units) for sentence in corpus.train)
    return max(1, min(most, MOST_WORDS // words)) if corpus.language == ENGLISH else most
