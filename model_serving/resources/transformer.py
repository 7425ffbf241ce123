"""``/v1/Transformer``."""

from functools import partial

from model_serving.models.translators import transformer
from model_serving.resources import translators
from model_serving.resources.base import ModelResource

DIRECTIONS = (("en", "zh"), ("zh", "en"))


class Transformer(ModelResource):
    """Translate interface strings, help texts and simple sentences, English into Chinese and back: the accurate choice.

    Encoder and decoder of attention alone (Vaswani et al., 2017, arXiv:1706.03762).
    """

    family = translators.FAMILY
    load = staticmethod(transformer.load)
    request_schema = staticmethod(translators.request_schema(DIRECTIONS))
    response_schema = translators.RESPONSE_SCHEMA
    example = {"text": "Select the file you want to open.", "n_best": 2}
    split = staticmethod(partial(translators.split, directions=DIRECTIONS))
