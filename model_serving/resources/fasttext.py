"""``/v1/FastText``."""

from typing import Any

from model_serving.models.word_vectors import fasttext
from model_serving.resources import word_vectors
from model_serving.resources.base import ModelResource, Work
from model_serving.resources.schemas import one_of


class FastText(ModelResource):
    """Find words alike in use and spelling, and place words never seen, by their character n-grams.

    Skip-gram over the mean of a word and its n-grams (Bojanowski et al., 2017, arXiv:1607.04606).
    """

    family = word_vectors.FAMILY
    load = staticmethod(fasttext.load)
    request_schema = staticmethod(word_vectors.request_schema(language=one_of("zh", "en", description="Of the words")))
    response_schema = word_vectors.RESPONSE_SCHEMA
    example = {"action": "neighbors", "words": "unhelpfulness", "language": "en", "top": 5}

    @classmethod
    def split(cls, field: str, body: dict[str, Any]) -> Work:
        """See :func:`model_serving.resources.word_vectors.split`."""
        return word_vectors.split(field, body, {"zh": (), "en": ()})
