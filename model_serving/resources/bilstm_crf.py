"""``/v1/BiLSTMCRF``."""

from model_serving.models.taggers import bilstm_crf
from model_serving.resources import taggers
from model_serving.resources.base import ModelResource


class BiLSTMCRF(ModelResource):
    """Find words, parts of speech and names in Chinese and English text: the accurate choice.

    A bidirectional LSTM over characters and bigrams, or over words, with a CRF on top (Huang et al., 2015,
    arXiv:1508.01991).
    """

    family = taggers.FAMILY
    load = staticmethod(bilstm_crf.load)
    request_schema = staticmethod(taggers.request_schema("pos", "seg", "ner", languages=("zh", "en")))
    response_schema = taggers.RESPONSE_SCHEMA
    example = {"text": "江泽民在北京人民大会堂会见了美国总统克林顿。", "task": "ner"}
