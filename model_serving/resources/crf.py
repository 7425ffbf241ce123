"""``/v1/CRF``."""

from model_serving.models.taggers import crf
from model_serving.resources import taggers
from model_serving.resources.base import ModelResource


class CRF(ModelResource):
    """Find words in Chinese, parts of speech in English, names in both: the choice whose reasons can be read.

    A linear-chain conditional random field over what stands around each place (Lafferty et al., 2001).
    """

    family = taggers.FAMILY
    load = staticmethod(crf.load)
    request_schema = staticmethod(taggers.request_schema("seg", "ner", "pos", languages=("zh", "en")))
    response_schema = taggers.RESPONSE_SCHEMA
    example = {"text": "中国银行行长在上海会见了日本客人。", "task": "ner"}
