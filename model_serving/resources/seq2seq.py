"""``/v1/Seq2Seq``."""

from functools import partial

from model_serving.models.translators import seq2seq
from model_serving.resources import translators
from model_serving.resources.base import ModelResource

DIRECTIONS = (("en", "zh"),)


class Seq2Seq(ModelResource):
    """Translate short English interface strings into Chinese, from one vector a sentence: deep LSTMs.

    The sentence is read backwards by one deep LSTM and written by another (Sutskever et al., 2014, arXiv:1409.3215).
    """

    family = translators.FAMILY
    load = staticmethod(seq2seq.load)
    request_schema = staticmethod(translators.request_schema(DIRECTIONS, attentive=False))
    response_schema = translators.response_schema()
    example = {"text": "Select the file you want to open."}
    split = staticmethod(partial(translators.split, directions=DIRECTIONS))
