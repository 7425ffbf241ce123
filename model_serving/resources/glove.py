"""``/v1/GloVe``."""

from typing import Any

from model_serving.models.word_vectors import glove
from model_serving.resources import word_vectors
from model_serving.resources.base import ModelResource, Work
from model_serving.resources.schemas import one_of


class GloVe(ModelResource):
    """Find words that stand together alike often: vectors from the counts of a whole text at once.

    Weighted least squares on the logarithms of co-occurrence counts (Pennington et al., 2014).
    """

    family = word_vectors.FAMILY
    load = staticmethod(glove.load)
    request_schema = staticmethod(word_vectors.request_schema(language=one_of("zh", "en", description="Of the words")))
    response_schema = word_vectors.RESPONSE_SCHEMA
    example = {"action": "odd_one_out", "groups": ["苹果", "北京", "上海", "广州"]}

    @classmethod
    def split(cls, field: str, body: dict[str, Any]) -> Work:
        """See :func:`model_serving.resources.word_vectors.split`."""
        return word_vectors.split(field, body, {"zh": (), "en": ()})
