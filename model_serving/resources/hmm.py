"""``/v1/HMM``."""

from model_serving.models.taggers import hmm
from model_serving.resources import taggers
from model_serving.resources.base import ModelResource


class HMM(ModelResource):
    """Find words, parts of speech and names in Chinese text: the small, fast, transparent choice.

    A hidden Markov model counted from tagged text (Rabiner, 1989); its figures are the line the others must beat.
    """

    family = taggers.FAMILY
    load = staticmethod(hmm.load)
    request_schema = staticmethod(taggers.request_schema("pos", "seg", "ner", decodings=("viterbi", "posterior")))
    response_schema = taggers.RESPONSE_SCHEMA
    example = {"text": "今天的北京,天气非常好。", "task": "pos"}
