"""``/v1/NNLM``."""

from typing import Any

from model_serving.models.word_vectors import nnlm
from model_serving.resources import word_vectors
from model_serving.resources.base import ModelResource, Work
from model_serving.resources.schemas import one_of

FIELDS = {"next": "contexts", **word_vectors.FIELDS}


class NNLM(ModelResource):
    """Foresee the next word of a Chinese sentence, and find words that are foreseen alike.

    A neural probabilistic language model with direct connections (Bengio et al., 2003).
    """

    family = word_vectors.FAMILY
    load = staticmethod(nnlm.load)
    request_schema = staticmethod(
        word_vectors.request_schema(
            FIELDS,
            contexts=word_vectors.word_lists("For next: the words so far, or a list of such; [[]] asks for the first"),
            language=one_of("zh", description="Of the words"),
        )
    )
    response_schema = word_vectors.response_schema(word_vectors.NEXT)
    example = {"action": "next", "contexts": ["中国", "人民"], "top": 5}

    @classmethod
    def split(cls, field: str, body: dict[str, Any]) -> Work:
        """See :func:`model_serving.resources.word_vectors.split`."""
        return word_vectors.split(field, body, {"zh": ()}, FIELDS)
