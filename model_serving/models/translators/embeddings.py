"""Vectors of sub-words."""

from torch import nn

from model_serving.models.translators.subwords import PADDING


def subword_embedding(count: int, size: int, std: float = 0.1) -> nn.Embedding:
    """Vectors for ``count`` sub-words, normally distributed around 0 with ``std``; that of the padding stays 0."""
    embedding = nn.Embedding(count, size, padding_idx=PADDING)
    nn.init.normal_(embedding.weight, std=std)
    embedding.weight.data[PADDING] = 0
    return embedding
