import math

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.testing import assert_close

from model_serving.models.translators import convs2s
from model_serving.models.translators.convs2s import ConvS2SNetwork

SOURCE = torch.tensor([[5, 6, 7, 8, 9], [4, 5, 0, 0, 0], [10, 4, 6, 0, 0]])
TARGET = torch.tensor([[2, 5, 6, 7], [2, 4, 0, 0], [2, 8, 9, 0]])
PLACES = 4


@pytest.fixture
def network():
    torch.manual_seed(4)
    network = ConvS2SNetwork(
        sources=11, targets=10, embedding_size=4, hidden_size=6, layers=2, width=3, places=PLACES
    ).eval()
    for weight in network.parameters():
        nn.init.normal_(weight, std=0.5)
    return network


def gated(layer, three):
    """The convolution over three states, and its gate."""
    values, gates = functional.linear(torch.stack(three).T.flatten(), layer.linear.weight, layer.linear.bias).chunk(2)
    return values * torch.sigmoid(gates)


def embed(embedding, numbers):
    return [
        embedding.subwords.weight[number] + embedding.places.weight[min(place, PLACES - 1)]
        for place, number in enumerate(numbers.tolist())
    ]


def test_scores_follow_the_paper_one_sentence_and_word_at_a_time(network):
    """Sections 3.1 to 3.4 written out with vectors."""
    found, weights = network(SOURCE, TARGET), network.attention(SOURCE, TARGET)
    half, nothing = math.sqrt(0.5), torch.zeros(6)
    for row, (length, written) in enumerate(((5, 4), (2, 2), (3, 3))):
        words = embed(network.source_embedding, SOURCE[row, :length])
        states = [network.into_encoder(word) for word in words]
        for layer in network.encoder:
            around = [nothing, *states, nothing]
            states = [(gated(layer, around[place : place + 3]) + states[place]) * half for place in range(length)]
        outputs = [network.out_of_encoder(state) for state in states]
        sums = [(output + word) * half for output, word in zip(outputs, words, strict=True)]
        begun = embed(network.target_embedding, TARGET[row, :written])
        states = [network.into_decoder(word) for word in begun]
        every = []
        for layer in network.decoder:
            before = [nothing, nothing, *states]
            convolved = [gated(layer.convolution, before[place : place + 3]) for place in range(written)]
            queries = [(layer.query(one) + word) * half for one, word in zip(convolved, begun, strict=True)]
            alphas = [torch.stack([query @ output for output in outputs]).softmax(0) for query in queries]
            contexts = [alpha @ torch.stack(sums) * math.sqrt(length) for alpha in alphas]
            attended = [(one + layer.context(c)) * half for one, c in zip(convolved, contexts, strict=True)]
            states = [(one + state) * half for one, state in zip(attended, states, strict=True)]
            every.append(torch.stack(alphas))
        for place, state in enumerate(states):
            output = network.out_of_decoder(state)
            expected = network.target_embedding.subwords.weight @ output + network.output_bias
            assert_close(found[row, place], expected)
        assert_close(weights[row, :written, :length], torch.stack(every).mean(0))


def test_sentences_longer_than_the_table_of_places_are_read_and_written_on(network):
    source, target = torch.full((1, 30), 5), torch.full((1, 20), 6)
    whole = network(source, target).log_softmax(2)
    memory = network.encode(source)
    past = network.start(memory)
    for place in range(20):
        log_probs, past = network.step(target[:, place : place + 1], memory, past)
        assert_close(log_probs[0, 0], whole[0, place])


def test_values_keep_their_variance_through_all_layers():
    """Section 3.5: states at the end vary about as much as those that come in."""
    torch.manual_seed(1)
    network = ConvS2SNetwork(
        sources=500, targets=500, embedding_size=64, hidden_size=64, layers=6, width=3, places=50
    ).eval()
    source, target = torch.randint(4, 500, (20, 30)), torch.randint(4, 500, (20, 30))
    seen = []
    network.out_of_decoder.register_forward_hook(lambda module, inputs, output: seen.append(inputs[0]))
    network.into_decoder.register_forward_hook(lambda module, inputs, output: seen.append(output))
    network(source, target)
    into, out = (states.std().item() for states in seen)
    assert 0.2 < out / into < 3


def test_the_encoder_is_taught_by_the_mean_of_the_attentions(network, monkeypatch):
    """Section 3.5: its gradient is divided by their number, that of the source's embeddings is not."""

    def gradients():
        network.zero_grad()
        network(SOURCE, TARGET)[0, 0].square().sum().backward()
        return network.into_encoder.weight.grad.clone(), network.source_embedding.subwords.weight.grad[5].clone()

    scaled, word = gradients()
    monkeypatch.setattr(convs2s, "scale_gradient", lambda tensor, share: tensor)
    whole, whole_word = gradients()
    assert_close(scaled, whole / 2)
    assert not torch.allclose(word, whole_word / 2)
