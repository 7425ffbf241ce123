"""What the Chinese taggers with networks start from: the symbols they know, and vectors of them.

The vectors are learnt by skip-gram over the characters, and the bigrams, of all their corpora (Mikolov et al., 2013,
arXiv:1301.3781); that vectors from untagged text help taggers is from Collobert et al., 2011, "Natural language
processing (almost) from scratch", section 4.
"""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from model_serving.models.taggers.characters import bigrams_of
from model_serving.models.vocabulary import Vocabulary
from model_serving.training.datasets import msra, peoples_daily
from model_serving.training.datasets.corpus import TaggedSentence, labels_of
from model_serving.training.word_vectors import word2vec
from model_serving.training.word_vectors.text import encode

PACKAGES = (msra.PACKAGE, peoples_daily.PACKAGE)
SIZES = {"character_size": 64, "bigram_size": 48}
RAREST_CHARACTER = 2
RAREST_BIGRAM = 6
EPOCHS = 2
MOST_SYMBOLS = 100_000
SPREAD = 0.3
"""Standard deviation of the entries of all vectors that a tagger starts from."""


def vocabulary(sentences: list[TaggedSentence]) -> dict[str, list[str]]:
    """The characters, bigrams and labels of the training part; rarer ones teach the network the unknown."""
    units = [sentence.units for sentence in sentences]
    return {
        "characters": Vocabulary.counted(chain.from_iterable(units), RAREST_CHARACTER).symbols,
        "bigrams": Vocabulary.counted(chain.from_iterable(map(bigrams_of, units)), RAREST_BIGRAM).symbols,
        "labels": Vocabulary.counted(chain.from_iterable(map(labels_of, sentences))).symbols,
    }


def sources(own: dict[str, Any]) -> list[dict[str, Any]]:
    """What a tagger learns from: ``own``, whose tags it sees, before the others that :func:`text` is from."""
    read = [corpus.load().source for corpus in (msra, peoples_daily)]
    return [own, *(source for source in read if source != own)]


def text() -> list[str]:
    """The sentences that all Chinese taggers may learn from, without any that one of them is measured on."""
    corpora = [msra.load(), peoples_daily.load()]
    held_out = {
        "".join(sentence.units) for corpus in corpora for part in (corpus.dev, corpus.test) for sentence in part
    }
    sentences = ("".join(sentence.units) for corpus in corpora for sentence in corpus.train)
    return [sentence for sentence in sentences if sentence not in held_out]


def fill_characters_and_bigrams(
    network: nn.Module, vocabulary: dict[str, list[str]], sentences: list[str], checkpoint: Path, seed: int
) -> None:
    """Let the tables of a network start from what ``sentences`` teach.

    Args:
        network: has a ``character_embedding`` and a ``bigram_embedding``.
        vocabulary: their symbols, as ``characters`` and ``bigrams``.
        sentences: the text.
        checkpoint: of the tagger; the vectors' stand beside it.
        seed: of the vectors.
    """
    for name, table, part in (
        ("characters", network.character_embedding, sentences),
        ("bigrams", network.bigram_embedding, list(map(bigrams_of, sentences))),
    ):
        assert isinstance(table, nn.Embedding)
        vectors = learn(part, table.embedding_dim, checkpoint.with_suffix(f".{name}.pt"), seed)
        fill(table, vocabulary[name], vectors)


def learn(sentences: Sequence[Sequence[str]], size: int, checkpoint: Path, seed: int) -> dict[str, Tensor]:
    """Skip-gram vectors of the symbols of a text, of unit variance."""
    encoded = encode(sentences, most=MOST_SYMBOLS, least=RAREST_BIGRAM)
    rows, _ = word2vec.learn(encoded, "skipgram", "neg", checkpoint, epochs=EPOCHS, seed=seed, size=size)
    return dict(zip(encoded.words.symbols, rows / rows.std(), strict=True))


def fill(table: nn.Embedding, symbols: list[str], vectors: dict[str, Tensor]) -> None:
    """Let a table start from the vectors of its symbols; those without one start at random."""
    nn.init.normal_(table.weight.data[1:], std=SPREAD)
    first = len(table.weight) - len(symbols)
    for row, symbol in enumerate(symbols, first):
        if symbol in vectors:
            table.weight.data[row] = vectors[symbol] * SPREAD
