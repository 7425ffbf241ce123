"""Sub-words learnt from a few sentences, and small untrained networks over them."""

import io

import pytest
import sentencepiece
import torch
from torch import nn

from model_serving.models.translators import placeholders
from model_serving.models.translators.bahdanau_attention import BahdanauAttentionNetwork
from model_serving.models.translators.direction import Direction
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


@pytest.fixture(params=["transformer", "bahdanau_attention"])
def make_network(request):
    """Either network, small, unsure of much, and as likely to end a sentence as not."""

    def make(sources, targets):
        torch.manual_seed(7)
        sizes = {"sources": sources, "targets": targets}
        network = (
            TransformerNetwork(size=8, heads=2, layers=2, hidden=12, **sizes)
            if request.param == "transformer"
            else BahdanauAttentionNetwork(embedding_size=8, hidden_size=6, **sizes)
        )
        for weight in network.parameters():
            nn.init.normal_(weight, std=0.6)
        return network.eval()

    return make


@pytest.fixture
def direction(make_network, english, chinese):
    """English into what looks like Chinese."""
    return Direction(make_network(len(english), len(chinese)), english, chinese)
