"""FastText: a word is the mean of its parts, so a word never seen has a vector too.

Bojanowski, Grave, Joulin and Mikolov, 2017, "Enriching word vectors with subword information", arXiv:1607.04606. The
parts are the word itself, where it is in the vocabulary, and its n-grams of 3 to 6 characters between ``<`` and ``>``
in hashed buckets (section 3.2). They are averaged, as in the authors' program, where the paper sums.
"""

from pathlib import Path

from model_serving.models.artifact import Artifact
from model_serving.models.space import Space
from model_serving.models.word_vectors import vectors
from model_serving.models.word_vectors.subwords import composed_space, ngrams
from model_serving.models.word_vectors.vectors import WordVectors
from model_serving.models.word_vectors.words import Words

SHORTEST, LONGEST = 3, 6


def parts(word: str) -> list[str]:
    """The n-grams of a word; the whole, with its marks, is none of them but the word itself."""
    framed = f"<{word}>"
    return [part for part in ngrams(framed, SHORTEST, LONGEST) if part != framed]


def load_space(trained: Artifact) -> Space:
    """The space of one trained variant."""
    return composed_space(Words(trained.vocabulary["words"]), trained.weights, parts)


def load(folder: Path) -> WordVectors:
    """The served vectors of all variants in ``folder``."""
    return vectors.load(folder, load_space)
