"""Train the lattice LSTM tagger: what it starts from; the loop is that of :mod:`.bilstm_crf`.

The lexicon holds the words of jieba's dictionary that stand at least twice in the tagging corpora's training parts.
Vectors of characters and bigrams are learnt from the same text by skip-gram; those of words are the committed ones,
turned onto their main directions.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from model_serving.models import artifact
from model_serving.models.packing import unpack
from model_serving.models.taggers.characters import bigrams_of
from model_serving.models.taggers.lattice_lstm import LatticeLSTMLabeller, build
from model_serving.models.taggers.lexicon import Lexicon
from model_serving.models.vocabulary import Vocabulary
from model_serving.training.datasets import jieba_words, peoples_daily
from model_serving.training.datasets.corpus import Corpus, TaggedSentence, labels_of
from model_serving.training.taggers.optimisation import descend
from model_serving.training.word_vectors import word2vec
from model_serving.training.word_vectors.text import encode
from model_serving.utils.settings import DATA

PAPER = "Zhang and Yang, 2018, Chinese NER Using Lattice LSTM, arXiv:1805.02023"
ARCHITECTURE = {"character_size": 50, "bigram_size": 50, "word_size": 50, "hidden_size": 128}
DROPOUT = 0.4
EPOCHS = 10
BATCH_UNITS = 2560
RAREST_CHARACTER = 2
RAREST_BIGRAM = 4
RAREST_WORD = 2
LONGEST_WORD = 8
VECTORS = DATA / "word2vec" / "zh-skipgram-neg"
VECTOR_EPOCHS = 2
SPREAD = 0.3
"""Standard deviation of the entries of the vectors that training starts from."""
PACKAGES = (jieba_words.PACKAGE, peoples_daily.PACKAGE)


def train(
    corpus: Corpus, checkpoint: Path, *, seed: int, epochs: int = EPOCHS
) -> tuple[LatticeLSTMLabeller, dict[str, Any]]:
    """Train on ``corpus.train``, keep the best epoch on ``corpus.dev``; picks up at ``checkpoint`` where it exists.

    Returns the labeller and a record of the training for its card.
    """
    torch.manual_seed(seed)
    text = [*corpus.train, *peoples_daily.load().train]
    units = ["".join(sentence.units) for sentence in text]
    labeller = build(vocabulary(corpus.train, lexicon(jieba_words.load(), units)), ARCHITECTURE, DROPOUT)
    network = labeller.network
    for name, table, part in (
        ("characters", network.character_embedding, units),
        ("bigrams", network.bigram_embedding, list(map(bigrams_of, units))),
    ):
        vectors = learn(part, table.embedding_dim, checkpoint.with_suffix(f".{name}.pt"), seed)
        fill(table, labeller.vocabulary()[name], vectors)
    fill(network.word_embedding, labeller.lexicon.words, word_vectors(ARCHITECTURE["word_size"]))
    record = descend(labeller, corpus, checkpoint, seed=seed, epochs=epochs, most=BATCH_UNITS)
    return labeller, record | {"lexicon": len(labeller.lexicon.words)}


def lexicon(words: Iterable[str], text: Iterable[str]) -> list[str]:
    """Those of ``words`` that stand at least ``RAREST_WORD`` times in a text, most frequent first."""
    finder = Lexicon(word for word in words if len(word) <= LONGEST_WORD)
    seen: Counter[int] = Counter()
    for sentence in text:
        seen.update(finder.matches([sentence]).words.tolist())
    names = dict(enumerate(finder.words, len(finder) - len(finder.words)))
    ranked = sorted(seen, key=lambda number: (-seen[number], number))
    return [names[number] for number in ranked if seen[number] >= RAREST_WORD]


def vocabulary(sentences: list[TaggedSentence], words: list[str]) -> dict[str, list[str]]:
    """The characters, bigrams and labels of the training part, and the words of the lexicon."""
    units = [sentence.units for sentence in sentences]
    return {
        "characters": Vocabulary.counted(chain.from_iterable(units), RAREST_CHARACTER).symbols,
        "bigrams": Vocabulary.counted(chain.from_iterable(map(bigrams_of, units)), RAREST_BIGRAM).symbols,
        "words": words,
        "labels": Vocabulary.counted(chain.from_iterable(map(labels_of, sentences))).symbols,
    }


def learn(text: Sequence[Sequence[str]], size: int, checkpoint: Path, seed: int) -> dict[str, Tensor]:
    """Skip-gram vectors of the symbols of a text, of unit variance."""
    encoded = encode(text, most=100_000, least=RAREST_BIGRAM)
    rows, _ = word2vec.learn(encoded, "skipgram", "neg", checkpoint, epochs=VECTOR_EPOCHS, seed=seed, size=size)
    return dict(zip(encoded.words.symbols, rows / rows.std(), strict=True))


def word_vectors(size: int) -> dict[str, Tensor]:
    """The committed skip-gram vectors of words on their ``size`` main directions, of unit variance."""
    trained = artifact.load(VECTORS)
    rows = unpack(trained.weights)
    rows = rows - rows.mean(0)
    _, directions = torch.linalg.eigh(rows.T @ rows)
    rows = rows @ directions[:, -size:]
    return dict(zip(trained.vocabulary["words"], rows / rows.std(), strict=True))


def fill(table: nn.Embedding, symbols: list[str], vectors: dict[str, Tensor]) -> None:
    """Let a table start from the vectors of its symbols; those without one start at random."""
    nn.init.normal_(table.weight.data[1:], std=SPREAD)
    first = len(table.weight) - len(symbols)
    for row, symbol in enumerate(symbols, first):
        if symbol in vectors:
            table.weight.data[row] = vectors[symbol] * SPREAD
