"""Train the lattice LSTM tagger: what it starts from; the descent is that of :mod:`.optimisation`.

The lexicon holds the words of jieba's dictionary that stand at least twice in the text that vectors of characters and
bigrams are learnt from (:mod:`.chinese`); vectors of words are the committed ones on their main directions.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model_serving.models import artifact
from model_serving.models.packing import unpack
from model_serving.models.taggers.lattice_lstm import LatticeLSTMLabeller, build
from model_serving.models.taggers.lexicon import Lexicon
from model_serving.training.datasets import jieba_words
from model_serving.training.datasets.corpus import Corpus
from model_serving.training.taggers import chinese
from model_serving.training.taggers.optimisation import descend
from model_serving.utils.settings import DATA

PAPER = "Zhang and Yang, 2018, Chinese NER Using Lattice LSTM, arXiv:1805.02023"
ARCHITECTURE = {**chinese.SIZES, "word_size": 32, "hidden_size": 128}
DROPOUT = 0.4
EPOCHS = 10
BATCH_UNITS = 2560
RAREST_WORD = 2
LONGEST_WORD = 8
VECTORS = DATA / "word2vec" / "zh-skipgram-neg"
PACKAGES = (jieba_words.PACKAGE, *chinese.PACKAGES)


def sources(corpus: Corpus) -> list[dict[str, Any]]:
    """What training on a corpus reads, for the card."""
    return [*chinese.sources(corpus.source), jieba_words.PACKAGE.card("jieba's dictionary")]


def train(
    corpus: Corpus, checkpoint: Path, *, seed: int, epochs: int = EPOCHS
) -> tuple[LatticeLSTMLabeller, dict[str, Any]]:
    """Train on ``corpus.train``, keep the best epoch on ``corpus.dev``; picks up at ``checkpoint`` where it exists.

    Returns the labeller and a record of the training for its card.
    """
    torch.manual_seed(seed)
    text = chinese.text()
    words = lexicon(jieba_words.load(), text)
    labeller = build(chinese.vocabulary(corpus.train) | {"words": words}, ARCHITECTURE, DROPOUT)
    chinese.fill_characters_and_bigrams(labeller.network, labeller.vocabulary(), text, checkpoint, seed)
    chinese.fill(labeller.network.word_embedding, words, word_vectors(ARCHITECTURE["word_size"]))
    record = descend(labeller, corpus, checkpoint, seed=seed, epochs=epochs, most=BATCH_UNITS)
    return labeller, record | {"lexicon": len(words)}


def lexicon(words: Iterable[str], text: Iterable[str]) -> list[str]:
    """Those of ``words`` that stand at least ``RAREST_WORD`` times in a text, most frequent first."""
    finder = Lexicon(word for word in words if len(word) <= LONGEST_WORD)
    seen: Counter[int] = Counter()
    for sentence in text:
        seen.update(finder.matches([sentence]).words.tolist())
    names = dict(enumerate(finder.words, len(finder) - len(finder.words)))
    ranked = sorted(seen, key=lambda number: (-seen[number], number))
    return [names[number] for number in ranked if seen[number] >= RAREST_WORD]


def word_vectors(size: int) -> dict[str, Tensor]:
    """The committed skip-gram vectors of words on their ``size`` main directions, of unit variance."""
    trained = artifact.load(VECTORS)
    rows = unpack(trained.weights)
    rows = rows - rows.mean(0)
    _, directions = torch.linalg.eigh(rows.T @ rows)
    rows = rows @ directions[:, -size:]
    return dict(zip(trained.vocabulary["words"], rows / rows.std(), strict=True))
