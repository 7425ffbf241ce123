"""``/v1/CW2Vec``."""

from typing import Any

from model_serving.models.word_vectors import cw2vec
from model_serving.resources import word_vectors
from model_serving.resources.base import ModelResource, Work
from model_serving.resources.schemas import one_of


class CW2Vec(ModelResource):
    """Find Chinese words alike in use and in writing, and place words never seen, by their strokes.

    Skip-gram over stroke n-grams (Cao et al., 2018).
    """

    family = word_vectors.FAMILY
    load = staticmethod(cw2vec.load)
    request_schema = staticmethod(word_vectors.request_schema(language=one_of("zh", description="Of the words")))
    response_schema = word_vectors.RESPONSE_SCHEMA
    example = {"action": "neighbors", "words": "河流", "top": 5}

    @classmethod
    def split(cls, field: str, body: dict[str, Any]) -> Work:
        """See :func:`model_serving.resources.word_vectors.split`."""
        return word_vectors.split(field, body, {"zh": ()})
