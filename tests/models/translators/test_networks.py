"""What holds for every network of the family, in each of its variants; each paper has a file of its own."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

SOURCE = torch.tensor([[5, 6, 7, 8, 9], [4, 5, 0, 0, 0], [10, 4, 6, 0, 0]])
TARGET = torch.tensor([[2, 5, 6, 7], [2, 4, 0, 0], [2, 8, 9, 0]])
INSIDE = TARGET != 0


@pytest.fixture
def network(any_small):
    return any_small.make(11, 10, std=0.5)


def hypotheses(past, many):
    """The same beginning so many times."""
    return {name: tensor.expand(-1, many, *tensor.shape[2:]) for name, tensor in past.items()}


def test_each_place_has_a_score_for_each_target(network):
    assert network(SOURCE, TARGET).shape == (3, 4, 10)


def test_step_by_step_with_what_was_kept_the_scores_are_those_of_the_whole(network):
    memory = network.encode(SOURCE)
    past = network.start(memory)
    whole = network(SOURCE, TARGET).log_softmax(2)
    for place in range(TARGET.size(1)):
        log_probs, past = network.step(TARGET[:, place : place + 1], memory, past)
        assert_close(log_probs[INSIDE[:, place], 0], whole[INSIDE[:, place], place])


def test_hypotheses_of_one_sentence_do_not_meet(network):
    memory = network.encode(SOURCE)
    beginnings = torch.tensor([[[2, 5], [2, 7], [2, 9]]] * 3)
    past = hypotheses(network.start(memory), 3)
    for place in range(2):
        together, past = network.step(beginnings[:, :, place], memory, past)
    for beginning in range(3):
        alone = network.start(memory)
        for place in range(2):
            log_probs, alone = network.step(beginnings[:, beginning : beginning + 1, place], memory, alone)
        assert_close(together[:, beginning : beginning + 1], log_probs)


def test_neither_padding_nor_other_sentences_nor_what_comes_later_change_a_score(network):
    whole = network(SOURCE, TARGET)
    for row, (read, written) in enumerate(((5, 4), (2, 2), (3, 3))):
        alone = network(SOURCE[row : row + 1, :read], TARGET[row : row + 1, :written])
        assert_close(alone[0], whole[row, :written])
    other = TARGET.clone()
    other[0, 3] = 9
    assert torch.equal(network(SOURCE, other)[0, :3], whole[0, :3])


def test_the_state_before_the_first_word_has_a_row_a_sentence(network):
    memory = network.encode(SOURCE)
    assert {len(tensor) for tensor in memory.values()} == {3}
    assert {tensor.shape[:2] for tensor in network.start(memory).values()} == {(3, 1)}


def test_what_is_kept_does_not_grow_where_a_network_forgets(network, any_small):
    memory = network.encode(SOURCE)
    first = network.start(memory)
    _, second = network.step(TARGET[:, :1], memory, first)
    same = {name: tensor.shape for name, tensor in second.items()} == {
        name: tensor.shape for name, tensor in first.items()
    }
    assert same == ("transformer" not in any_small.module.__name__)


def test_attention_is_a_distribution_over_the_words_of_the_source(network, any_small):
    if not any_small.attentive:
        pytest.skip("reads a sentence into one vector")
    weights = network.attention(SOURCE, TARGET)
    assert_close(weights.sum(2), torch.ones(3, 4))
    assert not weights[1, :, 2:].any()
    assert not weights[2, :, 3:].any()
    assert_close(network.attention(SOURCE[1:2, :2], TARGET[1:2, :2])[0], weights[1, :2, :2])


def test_the_output_shares_the_targets_embeddings(network):
    network(SOURCE, TARGET)[0, 0, 3].backward()
    (shared,) = [
        weight.grad for name, weight in network.named_parameters() if weight.shape[0] == 10 and weight.ndim == 2
    ]
    assert shared[3].any()
    assert not shared[7].any()  # neither read before nor scored


def test_dropout_is_at_work_in_training_alone(any_small):
    whole = any_small.make(11, 10)
    made = any_small.network(sources=11, targets=10, dropout=0.5, **any_small.architecture)
    made.load_state_dict(whole.state_dict())
    assert not torch.equal(made(SOURCE, TARGET), made(SOURCE, TARGET))
    assert torch.equal(made.eval()(SOURCE, TARGET), whole(SOURCE, TARGET))


def test_a_few_sentences_are_learnt_by_heart(any_small):
    network = any_small.make(11, 10).train()
    optimiser = torch.optim.Adam(network.parameters(), lr=3e-2)
    for _ in range(250):
        optimiser.zero_grad()
        logits = network(SOURCE, TARGET[:, :-1])
        nn.functional.cross_entropy(logits.flatten(0, 1), TARGET[:, 1:].flatten(), ignore_index=0).backward()
        optimiser.step()
    found = network(SOURCE, TARGET[:, :-1]).argmax(2)
    assert torch.equal(found[INSIDE[:, 1:]], TARGET[:, 1:][INSIDE[:, 1:]])
