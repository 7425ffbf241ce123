"""``/v1/WordRank``."""

from typing import Any

from model_serving.models.word_vectors import wordrank
from model_serving.resources import word_vectors
from model_serving.resources.base import ModelResource, Work
from model_serving.resources.schemas import one_of


class WordRank(ModelResource):
    """Find words by ranking: the contexts seen with a word come first in its list of all contexts.

    Robust ranking with a concave loss (Ji et al., 2016, arXiv:1506.02761).
    """

    family = word_vectors.FAMILY
    load = staticmethod(wordrank.load)
    request_schema = staticmethod(word_vectors.request_schema(language=one_of("zh", description="Of the words")))
    response_schema = word_vectors.RESPONSE_SCHEMA
    example = {"action": "similarity", "pairs": [["经济", "贸易"], ["经济", "足球"]]}

    @classmethod
    def split(cls, field: str, body: dict[str, Any]) -> Work:
        """See :func:`model_serving.resources.word_vectors.split`."""
        return word_vectors.split(field, body, {"zh": ()})
