"""CW2Vec: a Chinese word is made of its stroke n-grams, so words written alike share what they mean.

Cao, Lu, Zhou and Li, 2018, "cw2vec: learning Chinese word embeddings with stroke n-gram information", AAAI. N-grams of
3 to 12 strokes, in hashed buckets. Departures: they are averaged, not summed; a word of the vocabulary has a row of its
own beside them; and words are served as this mean, not as the vectors of contexts, which a word never seen has not.
"""

from pathlib import Path

from model_serving.models.artifact import Artifact
from model_serving.models.space import Space
from model_serving.models.word_vectors import vectors
from model_serving.models.word_vectors.strokes import of_word
from model_serving.models.word_vectors.subwords import Parts, composed_space, ngrams
from model_serving.models.word_vectors.vectors import WordVectors
from model_serving.models.word_vectors.words import Words

SHORTEST, LONGEST = 3, 12


def parts_by(table: dict[str, str]) -> Parts:
    """What gives the stroke n-grams of a word by a table of characters' strokes."""
    return lambda word: ngrams(of_word(word, table), SHORTEST, LONGEST)


def load_space(trained: Artifact) -> Space:
    """The space of one trained variant."""
    table = dict(zip(trained.vocabulary["characters"], trained.vocabulary["strokes"], strict=True))
    return composed_space(Words(trained.vocabulary["words"]), trained.weights, parts_by(table))


def load(folder: Path) -> WordVectors:
    """The served vectors of all variants in ``folder``."""
    return vectors.load(folder, load_space)
