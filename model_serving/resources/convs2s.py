"""``/v1/ConvS2S``."""

from functools import partial

from model_serving.models.translators import convs2s
from model_serving.resources import translators
from model_serving.resources.base import ModelResource

DIRECTIONS = (("en", "zh"),)


class ConvS2S(ModelResource):
    """Translate English interface strings, help texts and simple sentences into Chinese, by gated convolutions.

    Each layer of the decoder looks at the source (Gehring et al., 2017, arXiv:1705.03122).
    """

    family = translators.FAMILY
    load = staticmethod(convs2s.load)
    request_schema = staticmethod(translators.request_schema(DIRECTIONS))
    response_schema = translators.RESPONSE_SCHEMA
    example = {"text": "Select the file you want to open.", "attention": True}
    split = staticmethod(partial(translators.split, directions=DIRECTIONS))
