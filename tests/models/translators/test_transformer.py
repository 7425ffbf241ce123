import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from model_serving.models.translators.transformer import TransformerNetwork, positions

SOURCE = torch.tensor([[5, 6, 7, 8, 9], [4, 5, 0, 0, 0], [10, 4, 6, 0, 0]])
TARGET = torch.tensor([[2, 5, 6, 7], [2, 4, 0, 0], [2, 8, 9, 0]])


@pytest.fixture
def network():
    torch.manual_seed(4)
    return TransformerNetwork(sources=11, targets=10, size=8, heads=2, layers=2, hidden=12).eval()


def copied(network):
    """torch's own Transformer with the same weights."""
    theirs = nn.Transformer(8, 2, 2, 2, 12, dropout=0.0, batch_first=True, norm_first=True).eval()

    def copy_attention(ours, other):
        parts = (ours.query, ours.key, ours.value)
        other.in_proj_weight.data = torch.cat([part.weight.data for part in parts])
        other.in_proj_bias.data = torch.cat([part.bias.data for part in parts])
        other.out_proj.load_state_dict(ours.output.state_dict())

    def copy(pairs):
        for ours, other in pairs:
            other.load_state_dict(ours.state_dict())

    for ours, other in zip(network.encoder, theirs.encoder.layers, strict=True):
        copy_attention(ours.attention, other.self_attn)
        copy([(ours.feed_forward[0], other.linear1), (ours.feed_forward[2], other.linear2)])
        copy([(ours.attention_norm, other.norm1), (ours.feed_forward_norm, other.norm2)])
    for ours, other in zip(network.decoder, theirs.decoder.layers, strict=True):
        copy_attention(ours.self_attention, other.self_attn)
        copy_attention(ours.source_attention, other.multihead_attn)
        copy([(ours.feed_forward[0], other.linear1), (ours.feed_forward[2], other.linear2)])
        copy([(ours.self_norm, other.norm1), (ours.source_norm, other.norm2), (ours.feed_forward_norm, other.norm3)])
    copy([(network.encoder_norm, theirs.encoder.norm), (network.decoder_norm, theirs.decoder.norm)])
    return theirs


@pytest.mark.filterwarnings("ignore:enable_nested_tensor is True")
def test_the_transformer_of_torch_answers_the_same(network):
    for weight in network.parameters():
        nn.init.normal_(weight, std=0.3)
    theirs = copied(network)

    def embed(embedding, numbers):
        return embedding(numbers) * math.sqrt(8) + positions(0, numbers.size(1), 8)

    states = theirs(
        embed(network.source_embedding, SOURCE),
        embed(network.target_embedding, TARGET),
        tgt_mask=torch.ones(4, 4, dtype=torch.bool).triu(1),
        src_key_padding_mask=SOURCE == 0,
        memory_key_padding_mask=SOURCE == 0,
        tgt_is_causal=True,
    )
    expected = states @ network.target_embedding.weight.T
    inside = TARGET != 0
    assert_close(network(SOURCE, TARGET)[inside], expected[inside])


def test_attention_is_the_mean_of_the_last_layers_heads(network):
    seen = []
    network.decoder[-1].source_attention.register_forward_hook(lambda module, inputs, output: seen.append(output[1]))
    weights = network.attention(SOURCE, TARGET)
    assert_close(weights, (seen[0][:, 0] + seen[0][:, 1]) / 2)
    assert_close(weights.sum(2), torch.ones(3, 4))
    assert not weights[1, :, 2:].any()


def test_the_encoding_of_a_position_further_on_is_a_linear_function_of_it():
    first, later = positions(0, 20, 6), positions(7, 20, 6)
    rotation = torch.linalg.lstsq(first, later).solution
    assert_close(first @ rotation, later, atol=1e-4, rtol=0)
    assert_close(first[3, :2], torch.tensor([math.sin(3), math.cos(3)]))
    assert_close(positions(5, 1, 6), first[5:6])
