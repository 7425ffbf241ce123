"""Word2Vec: words that stand in like company get like vectors; a row a word.

Mikolov, Chen, Corrado and Dean, 2013, "Efficient estimation of word representations in vector space",
arXiv:1301.3781: skip-gram predicts the words around from one, CBOW one from those around. Each is trained in two ways,
down a Huffman tree (``hs``) and against noise (``neg``); see ``models/layers/skipgram.py``.
"""

from pathlib import Path

from model_serving.models.artifact import Artifact
from model_serving.models.space import Space
from model_serving.models.word_vectors import vectors
from model_serving.models.word_vectors.vectors import WordVectors


def load_space(trained: Artifact) -> Space:
    """The space of one trained variant."""
    return vectors.load_rows(trained)


def load(folder: Path) -> WordVectors:
    """The served vectors of all variants in ``folder``."""
    return vectors.load(folder, load_space)
