import pytest
import torch
from torch import nn
from torch.testing import assert_close

from model_serving.models.translators.rnn_encoder_decoder import RNNEncoderDecoderNetwork

SOURCE = torch.tensor([[5, 6, 7, 8, 9], [4, 5, 0, 0, 0], [10, 4, 6, 0, 0]])
TARGET = torch.tensor([[2, 5, 6, 7], [2, 4, 0, 0], [2, 8, 9, 0]])


@pytest.fixture
def network():
    torch.manual_seed(4)
    network = RNNEncoderDecoderNetwork(sources=11, targets=10, embedding_size=4, hidden_size=5).eval()
    for weight in network.parameters():
        nn.init.normal_(weight, std=0.5)
    return network


def unit(gru, vector, state):
    """A gated recurrent unit, gate by gate."""
    told = gru.weight_ih_l0 @ vector + gru.bias_ih_l0
    kept = gru.weight_hh_l0 @ state + gru.bias_hh_l0
    (reset, update, new), (old_reset, old_update, old_new) = told.chunk(3), kept.chunk(3)
    reset, update = torch.sigmoid(reset + old_reset), torch.sigmoid(update + old_update)
    return update * state + (1 - update) * torch.tanh(new + reset * old_new)


def test_scores_follow_the_paper_one_sentence_and_word_at_a_time(network):
    """Appendix A.1 written out with vectors."""
    found = network(SOURCE, TARGET)
    for row, (length, written) in enumerate(((5, 4), (2, 2), (3, 3))):
        state = torch.zeros(5)
        for word in network.source_embedding(SOURCE[row, :length]):
            state = unit(network.encoder, word, state)
        summary = torch.tanh(network.summary(state))
        state = torch.tanh(network.initial(summary))
        for place in range(written):
            word = network.target_embedding.weight[TARGET[row, place]]
            state = unit(network.decoder, torch.cat([word, summary]), state)
            deep = network.maxout.weight @ torch.cat([state, word, summary]) + network.maxout.bias
            hidden = torch.stack([max(deep[2 * unit], deep[2 * unit + 1]) for unit in range(4)])
            assert_close(found[row, place], network.target_embedding.weight @ hidden + network.output_bias)


def test_nothing_of_the_source_but_its_summary_is_remembered(network):
    assert {name: tensor.shape for name, tensor in network.encode(SOURCE).items()} == {"summary": (3, 5)}
