import pytest
import torch
from torch import nn
from torch.testing import assert_close

from model_serving.models.translators.bahdanau_attention import BahdanauAttentionNetwork

SOURCE = torch.tensor([[5, 6, 7, 8, 9], [4, 5, 0, 0, 0], [10, 4, 6, 0, 0]])
TARGET = torch.tensor([[2, 5, 6, 7], [2, 4, 0, 0], [2, 8, 9, 0]])


@pytest.fixture
def network():
    torch.manual_seed(4)
    network = BahdanauAttentionNetwork(sources=11, targets=10, embedding_size=4, hidden_size=5).eval()
    for weight in network.parameters():
        nn.init.normal_(weight, std=0.5)
    return network


def test_scores_follow_the_paper_one_sentence_and_word_at_a_time(network):
    """Appendix A.2 written out with vectors."""
    found, weights = network(SOURCE, TARGET), network.attention(SOURCE, TARGET)
    for row, (length, written) in enumerate(((5, 4), (2, 2), (3, 3))):
        words = network.source_embedding(SOURCE[row, :length])
        ahead, _ = network.encoder.forwards(words)
        back, _ = network.encoder.backwards(words.flip(0))
        annotations = torch.cat([ahead, back.flip(0)], dim=1)
        state = torch.tanh(network.initial.weight @ annotations[0, 5:] + network.initial.bias)
        for place in range(written):
            layer = network.attention_layer
            energies = layer.score.weight[0] @ torch.tanh(layer.query(state) + layer.key(annotations)).T
            alphas = energies.softmax(0)
            context = alphas @ annotations
            word = network.target_embedding.weight[TARGET[row, place]]
            state = network.cell(torch.cat([word, context]), state)
            deep = network.maxout.weight @ torch.cat([state, word, context]) + network.maxout.bias
            hidden = torch.stack([max(deep[2 * unit], deep[2 * unit + 1]) for unit in range(4)])
            assert_close(found[row, place], network.target_embedding.weight @ hidden + network.output_bias)
            assert_close(weights[row, place, :length], alphas)
            assert not weights[row, place, length:].any()
