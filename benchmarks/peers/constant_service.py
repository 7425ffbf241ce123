"""The service, from the listener to the batcher as it is, around a model that answers without thinking."""

from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from benchmarks.peers.contract import ANSWER
from model_serving.app import create_app
from model_serving.resources import taggers
from model_serving.resources.base import ModelResource
from model_serving.utils import settings
from model_serving.utils.settings import Model


class ConstantModel:
    """Gives every text the same answer."""

    def cost(self, text: str) -> int:
        """As the taggers count."""
        return len(text)

    def predict(self, texts: list[str], *, task: str, confidence: bool) -> list[Any]:
        """The answer, once for each text."""
        return [ANSWER] * len(texts)


def load(_: Path) -> ConstantModel:
    """The model, made of nothing."""
    return ConstantModel()


class Constant(ModelResource):
    """Say always the same."""

    family = taggers.FAMILY
    load = staticmethod(load)
    request_schema = staticmethod(taggers.request_schema("pos", "seg", "ner"))
    response_schema = taggers.RESPONSE_SCHEMA
    example: ClassVar[dict[str, Any]] = {"text": "赵小兰从广州回到了北京。", "task": "ner"}


_settings = settings.load()
app = create_app(replace(_settings, models={Constant.slug(): Model(True, _settings.limits)}), [Constant])
