"""``/v1/RNNEncoderDecoder``."""

from dataclasses import replace
from typing import Any

from model_serving.models.translators import rnn_encoder_decoder
from model_serving.models.translators.references import Pair
from model_serving.resources import translators
from model_serving.resources.base import ModelResource, Work
from model_serving.resources.schemas import texts
from model_serving.serving.errors import ServiceError

DIRECTIONS = (("en", "zh"),)


class RNNEncoderDecoder(ModelResource):
    """Translate short English interface strings into Chinese, and tell how likely a given translation is.

    The first encoder-decoder, of gated recurrent units around one vector (Cho et al., 2014, arXiv:1406.1078).
    """

    family = translators.FAMILY
    load = staticmethod(rnn_encoder_decoder.load)
    request_schema = staticmethod(
        translators.request_schema(
            DIRECTIONS,
            attentive=False,
            reference=texts("A translation to be scored, a sub-word at a time; for a list of texts, one for each"),
        )
    )
    response_schema = translators.response_schema(reference=translators.REFERENCE)
    example = {"text": "Select the file you want to open.", "reference": "选择要打开的文件。"}

    @classmethod
    def split(cls, field: str, body: dict[str, Any]) -> Work:
        """Fill in the languages left out, and put each text and its reference together.

        Raises:
            ServiceError: 400 ``input`` as :func:`model_serving.resources.translators.split` says, or where there are
                not as many references as texts.
        """
        reference = body.get("reference")
        work = translators.split(
            field, {name: value for name, value in body.items() if name != "reference"}, DIRECTIONS
        )
        if reference is None:
            return work
        references = reference if isinstance(reference, list) else [reference]
        if isinstance(reference, list) == work.single or len(references) != len(work.items):
            wanted = "one text" if work.single else f"a list of {len(work.items)} texts"
            raise ServiceError(400, "input", f"must be {wanted}, as text is", "$.reference")
        return replace(work, items=[Pair(*pair) for pair in zip(work.items, references, strict=True)])
