import pytest
import torch
from torch.nn.functional import logsigmoid

from model_serving.models.layers.skipgram import descend, hierarchical_softmax, logistic, negative_sampling


@pytest.fixture
def draw():
    """Draw a double tensor that wants a gradient."""
    random = torch.Generator().manual_seed(3)
    return lambda *shape: torch.randn(*shape, generator=random, dtype=torch.float64, requires_grad=True)


@pytest.fixture
def pairs():
    return torch.randint(0, 2, (2, 3, 4), generator=torch.Generator().manual_seed(4)).double()


def assert_gradients(loss, step_loss, *gradients):
    """Hold written gradients against automatic ones."""
    torch.testing.assert_close(step_loss, loss)
    for tensor, gradient in gradients:
        torch.testing.assert_close(gradient, torch.autograd.grad(loss, tensor, retain_graph=True)[0])


def test_the_gradients_of_the_logistic_loss_are_those_of_autograd(draw):
    inputs, outputs = draw(2, 3, 5), draw(2, 4, 5)
    weights = torch.tensor([1.0, -1.0, 0.0, -0.3]).double().expand(2, 3, 4)
    scores = torch.einsum("bns,bms->bnm", inputs, outputs)
    loss = -(weights.abs() * logsigmoid(weights.sign() * scores))[weights != 0].sum()
    step = logistic(inputs, outputs, weights)
    assert_gradients(loss, step.loss, (inputs, step.inputs), (outputs, step.outputs))


def test_negative_sampling_is_equation_4_with_its_expectation_over_the_shared_noise(draw, pairs):
    inputs, outputs, noise = draw(2, 3, 5), draw(2, 4, 5), draw(6, 5)
    loss = torch.zeros((), dtype=torch.float64)
    for block, n, m in pairs.nonzero().tolist():
        hidden = inputs[block, n]
        loss = loss - logsigmoid(hidden @ outputs[block, m]) - 5 * logsigmoid(-noise @ hidden).mean()
    step, of_noise = negative_sampling(inputs, outputs, pairs, noise, 5)
    assert_gradients(loss, step.loss, (inputs, step.inputs), (outputs, step.outputs), (noise, of_noise))


def test_hierarchical_softmax_is_the_product_of_the_turns(draw, pairs):
    inputs, nodes = draw(2, 3, 5), draw(2, 4, 3, 5)
    turns = torch.tensor([[1, -1, 1], [-1, 0, 0], [1, 1, 0], [-1, -1, -1]]).double().expand(2, 4, 3)
    loss = torch.zeros((), dtype=torch.float64)
    for block, n, m in pairs.nonzero().tolist():
        for node, turn in zip(nodes[block, m], turns[block, m].tolist(), strict=True):
            if turn:
                loss = loss - logsigmoid(turn * (node @ inputs[block, n]))
    step = hierarchical_softmax(inputs, nodes, turns, pairs)
    assert_gradients(loss, step.loss, (inputs, step.inputs), (nodes, step.outputs))


def test_large_scores_lose_nothing_and_overflow_nowhere():
    inputs, outputs = torch.full((1, 1, 1), 1e4), torch.full((1, 1, 1), 1e4)
    for weight, expected in ((1.0, 0.0), (-1.0, 1e8)):
        step = logistic(inputs, outputs, torch.full((1, 1, 1), weight))
        assert step.loss.item() == pytest.approx(expected)
        assert all(torch.isfinite(part).all() for part in step)


def test_a_row_that_occurs_twice_moves_twice():
    table = torch.zeros(3, 2)
    descend(table, torch.tensor([[2, 0, 2]]), torch.ones(1, 3, 2), 0.5)
    assert table.tolist() == [[-0.5, -0.5], [0, 0], [-1, -1]]
