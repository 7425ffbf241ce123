"""``/v1/Word2Vec``."""

from typing import Any

from model_serving.models.word_vectors import word2vec
from model_serving.resources import word_vectors
from model_serving.resources.base import ModelResource, Work
from model_serving.resources.schemas import one_of

VARIANTS = ("skipgram-neg", "skipgram-hs", "cbow-neg", "cbow-hs")


class Word2Vec(ModelResource):
    """Find words that are used alike in Chinese and English: the classic in its four forms.

    Skip-gram or CBOW, with negative sampling or hierarchical softmax (Mikolov et al., 2013, arXiv:1301.3781).
    """

    family = word_vectors.FAMILY
    load = staticmethod(word2vec.load)
    request_schema = staticmethod(
        word_vectors.request_schema(
            language=one_of("zh", "en", description="Of the words"),
            variant=one_of(*VARIANTS, description="How the vectors were trained; English has skipgram-neg alone"),
        )
    )
    response_schema = word_vectors.RESPONSE_SCHEMA
    example = {"action": "neighbors", "words": "北京", "top": 5}

    @classmethod
    def split(cls, field: str, body: dict[str, Any]) -> Work:
        """See :func:`model_serving.resources.word_vectors.split`."""
        return word_vectors.split(field, body, {"zh": VARIANTS, "en": VARIANTS[:1]})
