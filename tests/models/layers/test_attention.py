import math

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.testing import assert_close

from model_serving.models.layers.attention import AdditiveAttention, MultiHeadAttention, scaled_dot_product


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(2)


@pytest.fixture
def mask():
    """Three sentences of 5, 1 and 3 words: (batch, 1, told)."""
    return (torch.arange(5) < torch.tensor([[5], [1], [3]])).unsqueeze(1)


def test_scaled_dot_products_are_those_of_torch(mask):
    queries, keys, values = torch.randn(3, 4, 8), torch.randn(3, 5, 8), torch.randn(3, 5, 6)
    context, weights = scaled_dot_product(queries, keys, values, mask)
    assert_close(context, functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask))
    assert_close(weights.sum(2), torch.ones(3, 4))
    assert not weights[~mask.expand_as(weights)].any()


def test_a_worked_example():
    """Scores 1 and 1 + ln 3 weigh 1 to 3."""
    keys = torch.tensor([[1.0, 0, 0, 0], [1 + math.log(3), 0, 0, 0]])
    context, weights = scaled_dot_product(
        torch.tensor([[2.0, 9, 9, 9]]), keys, torch.tensor([[4.0], [8.0]]), torch.ones(2, dtype=torch.bool)
    )
    assert_close(weights, torch.tensor([[0.25, 0.75]]))
    assert_close(context, torch.tensor([[7.0]]))


def test_several_heads_are_those_of_torch(mask):
    ours, theirs = MultiHeadAttention(8, 2), nn.MultiheadAttention(8, 2, batch_first=True)
    parts = (ours.query, ours.key, ours.value)
    theirs.in_proj_weight.data = torch.cat([part.weight.data for part in parts])
    theirs.in_proj_bias.data = torch.cat([part.bias.data for part in parts])
    theirs.out_proj.load_state_dict(ours.output.state_dict())
    queries, told = torch.randn(3, 4, 8), torch.randn(3, 5, 8)
    expected, their_weights = theirs(queries, told, told, key_padding_mask=~mask.squeeze(1), average_attn_weights=False)
    context, weights = ours(queries, *ours.project(told), mask.unsqueeze(1))
    assert_close(context, expected)
    assert_close(weights, their_weights)


def test_additive_attention_follows_the_formula_word_by_word(mask):
    attention = AdditiveAttention(query_size=3, key_size=6, hidden=4)
    queries, values = torch.randn(3, 2, 3), torch.randn(3, 5, 6)
    context, weights = attention(queries, attention.key(values), values, mask.squeeze(1))
    for sentence, length in enumerate((5, 1, 3)):
        for query in range(2):
            energies = [
                attention.score.weight[0]
                @ torch.tanh(
                    attention.query.weight @ queries[sentence, query]
                    + attention.query.bias
                    + attention.key.weight @ values[sentence, word]
                )
                for word in range(length)
            ]
            expected = torch.stack(energies).softmax(0)
            assert_close(weights[sentence, query, :length], expected)
            assert not weights[sentence, query, length:].any()
            assert_close(context[sentence, query], expected @ values[sentence, :length])
