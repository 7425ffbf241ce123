"""The translators over HTTP, on small untrained networks: what the contract of the family adds to that of all."""

from typing import Any

import jsonschema
import pytest
import torch
from torch import nn

from model_serving.app import create_app
from model_serving.models import artifact
from model_serving.models.translators import direction
from model_serving.models.translators.bahdanau_attention import BahdanauAttentionNetwork
from model_serving.models.translators.convs2s import ConvS2SNetwork
from model_serving.models.translators.luong_attention import LuongAttentionNetwork
from model_serving.models.translators.rnn_encoder_decoder import RNNEncoderDecoderNetwork
from model_serving.models.translators.seq2seq import Seq2SeqNetwork
from model_serving.models.translators.transformer import TransformerNetwork
from model_serving.resources import translators
from model_serving.resources.bahdanau_attention import BahdanauAttention
from model_serving.resources.base import ModelResource
from model_serving.resources.convs2s import ConvS2S
from model_serving.resources.luong_attention import LuongAttention
from model_serving.resources.rnn_encoder_decoder import RNNEncoderDecoder
from model_serving.resources.seq2seq import Seq2Seq
from model_serving.resources.transformer import Transformer
from model_serving.serving.errors import ServiceError
from model_serving.training.translators.vocabulary import learn
from model_serving.utils.settings import Limits, Model, Settings

ENGLISH = ["Select the file you want to open.", "Close the window.", "Stop"]
CHINESE = ["选择要打开的文件。", "关闭窗口。", "停下"]
SIZES: dict[str, Any] = {"embedding_size": 8, "hidden_size": 8}
ARCHITECTURES: dict[type[ModelResource], tuple[type[nn.Module], dict[str, Any]]] = {
    Transformer: (TransformerNetwork, {"size": 8, "heads": 2, "layers": 1, "hidden": 8}),
    BahdanauAttention: (BahdanauAttentionNetwork, SIZES),
    RNNEncoderDecoder: (RNNEncoderDecoderNetwork, SIZES),
    Seq2Seq: (Seq2SeqNetwork, SIZES | {"layers": 2}),
    LuongAttention: (LuongAttentionNetwork, SIZES | {"layers": 1, "score": "dot", "window": "global"}),
    ConvS2S: (ConvS2SNetwork, SIZES | {"layers": 1, "width": 3, "places": 9}),
}
BOTH_WAYS = (("en", "zh"), ("zh", "en"))
ATTENTIVE = (Transformer, BahdanauAttention, LuongAttention, ConvS2S)


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """All translators, each direction trained on nothing."""
    torch.manual_seed(1)
    data = tmp_path_factory.mktemp("data")
    subwords = {"en": learn(ENGLISH, 60, spaced=True), "zh": learn(CHINESE, 40, spaced=False)}
    for resource, (network, architecture) in ARCHITECTURES.items():
        for source, target in [("en", "zh"), ("zh", "en")][: 2 if resource is Transformer else 1]:
            made = network(sources=len(subwords[source]), targets=len(subwords[target]), **architecture)
            card = {"paper": "none", "architecture": architecture, "data": [], "metrics": []}
            files = {direction.SOURCE: subwords[source].model, direction.TARGET: subwords[target].model}
            artifact.save(data / resource.slug() / f"{source}-{target}", card, made.state_dict(), {}, files)
    models = {resource.slug(): Model(True, Limits()) for resource in ARCHITECTURES}
    app = create_app(Settings(models=models, data=data), list(ARCHITECTURES))
    app.extensions["model_serving"].start()
    return app


@pytest.fixture
def post(app):
    def post(body, resource=Transformer):
        return app.test_client().post(resource.href(), json=body)

    return post


@pytest.mark.parametrize("resource", ARCHITECTURES)
def test_answers_fit_their_schema(app, resource):
    card = app.test_client().get(resource.href()).get_json()
    jsonschema.validate(card["example"]["response"], card["response_schema"])
    more: dict[str, Any] = {"attention": True} if resource in ATTENTIVE else {}
    more |= {"reference": ["停", ""]} if resource is RNNEncoderDecoder else {}
    whole = {"text": ["Stop", ""], "beam_size": 3, "n_best": 3, "max_length": 5} | more
    answer = app.test_client().post(resource.href(), json=whole).get_json()
    jsonschema.validate(answer, card["response_schema"])
    assert set(answer["result"][0]) == {"translation", "score", "finished", "alternatives", *more}


@pytest.mark.parametrize("resource", set(ARCHITECTURES) - set(ATTENTIVE))
def test_what_reads_a_sentence_into_one_vector_has_no_attention_to_show(post, failed, resource):
    failed(post({"text": "Stop", "attention": True}, resource), 400, "schema")


@pytest.mark.parametrize(
    ("asked", "direction"),
    [
        ({}, (None, None)),
        ({"source": "en"}, ("en", "zh")),
        ({"target": "zh"}, ("en", "zh")),
        ({"source": "zh"}, ("zh", "en")),
        ({"target": "en"}, ("zh", "en")),
        ({"source": "zh", "target": "en"}, ("zh", "en")),
    ],
)
def test_a_language_left_out_is_the_one_that_goes_with_the_other(asked, direction):
    defaults = {"text": "x", "beam_size": 4, "n_best": 1}
    work = translators.split("text", defaults | asked, BOTH_WAYS)
    assert (work.options["source"], work.options["target"]) == direction
    assert (work.items, work.single) == (["x"], True)


def test_with_one_direction_there_is_nothing_to_tell():
    work = translators.split("text", {"text": "x", "beam_size": 4, "n_best": 1}, (("en", "zh"),))
    assert (work.options["source"], work.options["target"]) == ("en", "zh")


def test_without_a_language_each_text_goes_the_way_its_script_tells(post):
    texts = ["Close the window.", "关闭窗口。", "", "Stop"]
    together = post({"text": texts}).get_json()["result"]
    ways = [("en", "zh"), ("zh", "en"), ("en", "zh"), ("en", "zh")]
    told = [
        post({"text": text, "source": source, "target": target}).get_json()["result"]
        for text, (source, target) in zip(texts, ways, strict=True)
    ]
    assert together == told
    assert told[1] != post({"text": texts[1], "source": "en"}).get_json()["result"]


def test_a_direction_there_is_none_of_is_told():
    with pytest.raises(ServiceError, match="source and target must be en to zh, zh to en") as told:
        translators.split("text", {"text": "x", "source": "en", "target": "en"}, BOTH_WAYS)
    assert told.value.path == "$.target"


@pytest.mark.parametrize(
    ("asked", "path", "message"),
    [
        ({"beam_size": 2, "n_best": 3}, "$.n_best", "must be at most beam_size, which is 2"),
        ({"n_best": 5}, "$.n_best", "must be at most beam_size, which is 4"),
    ],
)
def test_what_does_not_go_together_is_told(post, failed, asked, path, message):
    body = failed(post({"text": "Stop"} | asked), 400, "input")
    assert (body["path"], body["message"]) == (path, message)


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ({"target": "fr"}, "$.target"),
        ({"beam_size": 0}, "$.beam_size"),
        ({"beam_size": 11}, "$.beam_size"),
        ({"beam_size": 1.5}, "$.beam_size"),
        ({"length_penalty": 2.5}, "$.length_penalty"),
        ({"max_length": 257}, "$.max_length"),
        ({"attention": 1}, "$.attention"),
    ],
)
def test_each_field_has_its_bounds(post, failed, asked, path):
    assert failed(post({"text": "Stop"} | asked), 400, "schema")["path"] == path


def test_a_translator_of_one_direction_knows_no_other(post, failed):
    failed(post({"text": "停下", "source": "zh"}, BahdanauAttention), 400, "schema")


def test_bodies_alone_and_together_are_answered_alike(post):
    texts = ["Close the window.", "Stop", "", "Select the file you want to open. Stop\nStop"]
    together = post({"text": texts, "n_best": 2}).get_json()["result"]
    assert together == [post({"text": text, "n_best": 2}).get_json()["result"] for text in texts]


def test_a_text_at_the_limit_is_answered_whole(post):
    limits = Limits()
    assert post({"text": "Close" * (limits.item_characters // 50), "beam_size": 1}).status_code == 200


def test_a_reference_is_scored_with_its_text_alone_and_in_a_list(post):
    texts, references = ["Close the window.", "Stop", ""], ["关闭窗口。", "停下", ""]
    together = post({"text": texts, "reference": references}, RNNEncoderDecoder).get_json()["result"]
    for text, reference, answer in zip(texts, references, together, strict=True):
        assert answer == post({"text": text, "reference": reference}, RNNEncoderDecoder).get_json()["result"]
        assert "".join(token["text"] for token in answer["reference"]["tokens"]) == reference
        plain = post({"text": text}, RNNEncoderDecoder).get_json()["result"]
        assert {name: value for name, value in answer.items() if name != "reference"} == plain


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"text": "Stop", "reference": ["停下"]}, "must be one text, as text is"),
        ({"text": ["Stop"], "reference": "停下"}, "must be a list of 1 texts, as text is"),
        ({"text": ["Stop", "Go"], "reference": ["停下"]}, "must be a list of 2 texts, as text is"),
    ],
)
def test_each_text_has_one_reference(post, failed, asked, message):
    body = failed(post(asked, RNNEncoderDecoder), 400, "input")
    assert (body["path"], body["message"]) == ("$.reference", message)


def test_the_characters_of_references_count(post, failed):
    limits = Limits()
    many = ["停" * 4000] * 20
    assert sum(map(len, many)) < limits.request_characters < 2 * sum(map(len, many))
    body = failed(post({"text": many, "reference": many}, RNNEncoderDecoder), 400, "input")
    assert "characters in all" in body["message"]


def test_a_reference_that_can_not_be_scored_is_told_with_its_text(post, failed):
    body = failed(post({"text": ["Stop", "Stop"], "reference": ["停下", ""]}, RNNEncoderDecoder), 400, "input")
    assert (body["path"], body["message"]) == ("$.text[1]", "and reference must both hold text, or neither")
