"""Sub-words learnt from a few sentences, and small untrained networks over them."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType

import pytest
import sentencepiece
import torch
from torch import nn

from model_serving.models.translators import (
    bahdanau_attention,
    convs2s,
    luong_attention,
    placeholders,
    rnn_encoder_decoder,
    seq2seq,
    transformer,
)
from model_serving.models.translators.bahdanau_attention import BahdanauAttentionNetwork
from model_serving.models.translators.convs2s import ConvS2SNetwork
from model_serving.models.translators.direction import Direction
from model_serving.models.translators.luong_attention import LuongAttentionNetwork
from model_serving.models.translators.rnn_encoder_decoder import RNNEncoderDecoderNetwork
from model_serving.models.translators.seq2seq import Seq2SeqNetwork
from model_serving.models.translators.subwords import Subwords
from model_serving.models.translators.transformer import TransformerNetwork

ENGLISH = ["Open the file.", "Close the window!", "The file is open.", "Save all files", "Stop and go on, please."]
CHINESE = ["打开文件。", "关闭窗口！", "文件已打开。", "保存全部文件", "请停下，再继续。"]


def learn(sentences, size, *, spaced):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences),
        model_writer=model,
        vocab_size=size,
        hard_vocab_limit=False,
        normalization_rule_name="identity",
        add_dummy_prefix=spaced,
        user_defined_symbols=placeholders.MARKS,
        pad_id=0,
        unk_id=1,
        bos_id=2,
        eos_id=3,
        num_threads=1,
        minloglevel=2,
    )
    return Subwords(model.getvalue())


@pytest.fixture(scope="session")
def english():
    return learn(ENGLISH, 60, spaced=True)


@pytest.fixture(scope="session")
def chinese():
    return learn(CHINESE, 50, spaced=False)


@dataclass(frozen=True)
class Small:
    """A module of the family, and how to make its network as small as tests want it."""

    module: ModuleType
    network: type[nn.Module]
    architecture: Mapping[str, object]

    def make(self, sources, targets, std=None):
        """The network with seeded weights, normal with ``std`` if told, set to evaluation."""
        torch.manual_seed(7)
        network = self.network(sources=sources, targets=targets, **self.architecture)
        for weight in network.parameters() if std else ():
            nn.init.normal_(weight, std=std)
        return network.eval()

    @property
    def attentive(self):
        """Whether it can tell where it looked."""
        return hasattr(self.network, "attention")


SIZES: dict[str, object] = {"embedding_size": 8, "hidden_size": 6}
LUONG: dict[str, object] = SIZES | {"layers": 2, "score": "general", "window": "global"}
SMALL = {
    "transformer": Small(transformer, TransformerNetwork, {"size": 8, "heads": 2, "layers": 2, "hidden": 12}),
    "bahdanau_attention": Small(bahdanau_attention, BahdanauAttentionNetwork, SIZES),
    "rnn_encoder_decoder": Small(rnn_encoder_decoder, RNNEncoderDecoderNetwork, SIZES),
    "seq2seq": Small(seq2seq, Seq2SeqNetwork, SIZES | {"layers": 2}),
    "luong_attention": Small(luong_attention, LuongAttentionNetwork, LUONG),
    "convs2s": Small(convs2s, ConvS2SNetwork, SIZES | {"layers": 2, "width": 3, "places": 20}),
}
VARIANTS = {
    f"luong_attention {changes}": Small(luong_attention, LuongAttentionNetwork, LUONG | changes)
    for changes in (
        {"score": "dot"},
        {"score": "concat"},
        {"score": "location"},
        {"window": "monotonic", "reach": 1},
        {"window": "predictive", "reach": 1},
        {"score": "location", "window": "predictive", "reach": 2},
        {"score": "concat", "window": "monotonic", "reach": 2},
        {"layers": 1},
    )
}


@pytest.fixture(params=SMALL.values(), ids=list(SMALL))
def small(request):
    """Each network of the family."""
    return request.param


@pytest.fixture(params=(SMALL | VARIANTS).values(), ids=list(SMALL | VARIANTS))
def any_small(request):
    """Each network of the family, in each of its variants."""
    return request.param


@pytest.fixture
def make_network(small):
    """Each network, unsure of much, and as likely to end a sentence as not."""
    return lambda sources, targets: small.make(sources, targets, std=0.6)


@pytest.fixture
def attention(small):
    """What asks for the weights, where a network has any."""
    return {"attention": True} if small.attentive else {}


@pytest.fixture
def direction(make_network, english, chinese):
    """English into what looks like Chinese."""
    return Direction(make_network(len(english), len(chinese)), english, chinese)
