"""``/v1/LuongAttention``."""

from functools import partial

from model_serving.models.translators import luong_attention
from model_serving.resources import translators
from model_serving.resources.base import ModelResource

DIRECTIONS = (("en", "zh"),)


class LuongAttention(ModelResource):
    """Translate English interface strings, help texts and simple sentences into Chinese, by LSTMs and attention.

    What each step looked at is fed to the next (Luong et al., 2015, arXiv:1508.04025).
    """

    family = translators.FAMILY
    load = staticmethod(luong_attention.load)
    request_schema = staticmethod(translators.request_schema(DIRECTIONS))
    response_schema = translators.RESPONSE_SCHEMA
    example = {"text": "Select the file you want to open.", "attention": True}
    split = staticmethod(partial(translators.split, directions=DIRECTIONS))
