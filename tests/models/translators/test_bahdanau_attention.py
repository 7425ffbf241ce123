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


def test_step_by_step_the_scores_are_those_of_the_whole(network):
    memory = network.encode(SOURCE)
    past = network.start(memory)
    whole = network(SOURCE, TARGET).log_softmax(2)
    for place in range(TARGET.size(1)):
        log_probs, past = network.step(TARGET[:, place : place + 1], memory, past)
        inside = TARGET[:, place] != 0
        assert_close(log_probs[inside, 0], whole[inside, place])


def test_hypotheses_of_one_sentence_do_not_meet(network):
    memory = network.encode(SOURCE)
    tokens = torch.tensor([[2, 5, 7], [2, 5, 7], [2, 5, 7]])
    together, _ = network.step(tokens, memory, {"state": network.start(memory)["state"].expand(-1, 3, -1)})
    for place in range(3):
        alone, _ = network.step(tokens[:, place : place + 1], memory, network.start(memory))
        assert_close(together[:, place : place + 1], alone)


def test_a_few_sentences_are_learnt_by_heart():
    torch.manual_seed(1)
    network = BahdanauAttentionNetwork(sources=11, targets=10, embedding_size=8, hidden_size=8)
    optimiser = torch.optim.Adam(network.parameters(), lr=2e-2)
    for _ in range(80):
        optimiser.zero_grad()
        logits = network(SOURCE, TARGET[:, :-1])
        nn.functional.cross_entropy(logits.flatten(0, 1), TARGET[:, 1:].flatten(), ignore_index=0).backward()
        optimiser.step()
    found = network(SOURCE, TARGET[:, :-1]).argmax(2)
    assert torch.equal(found[TARGET[:, 1:] != 0], TARGET[:, 1:][TARGET[:, 1:] != 0])
