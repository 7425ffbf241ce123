"""``/v1/BahdanauAttention``."""

from functools import partial

from model_serving.models.translators import bahdanau_attention
from model_serving.resources import translators
from model_serving.resources.base import ModelResource

DIRECTIONS = (("en", "zh"),)


class BahdanauAttention(ModelResource):
    """Translate English interface strings, help texts and simple sentences into Chinese, with readable attention.

    The first model to align and translate at once (Bahdanau et al., 2014, arXiv:1409.0473).
    """

    family = translators.FAMILY
    load = staticmethod(bahdanau_attention.load)
    request_schema = staticmethod(translators.request_schema(DIRECTIONS))
    response_schema = translators.RESPONSE_SCHEMA
    example = {"text": "Select the file you want to open.", "attention": True}
    split = staticmethod(partial(translators.split, directions=DIRECTIONS))
