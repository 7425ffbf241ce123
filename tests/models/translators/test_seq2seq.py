import pytest
import torch
from torch import nn
from torch.testing import assert_close

from model_serving.models.translators.seq2seq import Seq2SeqNetwork

SOURCE = torch.tensor([[5, 6, 7, 8, 9], [4, 5, 0, 0, 0], [10, 4, 6, 0, 0]])
TARGET = torch.tensor([[2, 5, 6, 7], [2, 4, 0, 0], [2, 8, 9, 0]])


@pytest.fixture
def network():
    torch.manual_seed(4)
    network = Seq2SeqNetwork(sources=11, targets=10, embedding_size=4, hidden_size=5, layers=2).eval()
    for weight in network.parameters():
        nn.init.normal_(weight, std=0.5)
    return network


def cells(lstm):
    """The layers of an LSTM as torch's cells, which take a step at a time."""
    made = []
    for layer, size in enumerate((4, 5)):
        cell = nn.LSTMCell(size, 5)
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        cell.load_state_dict({name: getattr(lstm, f"{name}_l{layer}") for name in names})
        made.append(cell)
    return made


def advance(layers, word, states):
    """One word through all layers: their new states."""
    found = []
    for cell, state in zip(layers, states, strict=True):
        found.append(cell(word, state))
        word = found[-1][0]
    return found


def test_the_sentence_is_read_from_its_last_word_and_written_on_from_there(network):
    """Section 3 with one word at a time."""
    found = network(SOURCE, TARGET)
    encoder, decoder = cells(network.encoder), cells(network.decoder)
    for row, (length, written) in enumerate(((5, 4), (2, 2), (3, 3))):
        states = [(torch.zeros(5), torch.zeros(5))] * 2
        for word in network.source_embedding(SOURCE[row, :length].flip(0)):
            states = advance(encoder, word, states)
        for place in range(written):
            states = advance(decoder, network.target_embedding.weight[TARGET[row, place]], states)
            output = network.output.weight @ states[-1][0] + network.output.bias
            assert_close(found[row, place], network.target_embedding.weight @ output + network.output_bias)


def test_nothing_of_the_source_but_the_last_states_is_remembered(network):
    shapes = {name: tensor.shape for name, tensor in network.encode(SOURCE).items()}
    assert shapes == {"hidden": (3, 2, 5), "cell": (3, 2, 5)}
