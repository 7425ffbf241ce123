from math import log2

import pytest
import torch

from model_serving.models.word_vectors import wordrank
from model_serving.models.word_vectors.glove import weight, weighted_least_squares


@pytest.fixture
def draw():
    random = torch.Generator().manual_seed(3)
    return lambda *shape: torch.randn(*shape, generator=random, dtype=torch.float64, requires_grad=True)


def test_glove_weights_rare_cells_less():
    found = weight(torch.tensor([1.0, 50.0, 100.0, 1e6]))
    assert found.tolist() == pytest.approx([0.01**0.75, 0.5**0.75, 1, 1])


def test_the_gradients_of_glove_are_those_of_autograd(draw):
    words, contexts = draw(6, 5), draw(6, 5)
    counts = torch.tensor([0.5, 1, 3, 99, 100, 5000]).double()
    off = (words[:, :4] * contexts[:, :4]).sum(1) + words[:, 4] + contexts[:, 4] - counts.log()
    loss = (weight(counts) * off**2).sum() / 2
    step = weighted_least_squares(words, contexts, counts)
    torch.testing.assert_close(step.loss.sum(), loss)
    for tensor, gradient in ((words, step.words), (contexts, step.contexts)):
        torch.testing.assert_close(gradient, torch.autograd.grad(loss, tensor, retain_graph=True)[0])


def test_the_losses_of_wordrank_bound_the_rank(draw):
    words, contexts, others = draw(4, 5), draw(4, 5), draw(30, 5)
    failed = wordrank.losses(words, contexts, others)
    for cell in range(4):
        lead = [float((words[cell] @ (contexts[cell] - other)).detach()) for other in others]
        assert failed[cell].tolist() == pytest.approx([log2(1 + 2**-x) for x in lead])
        assert failed[cell].sum() >= sum(x <= 0 for x in lead)


def test_the_gradients_of_wordrank_are_those_of_autograd(draw):
    words, contexts, others = draw(4, 5), draw(4, 5), draw(7, 5)
    weights = torch.tensor([0.1, 1, 2, 0]).double()
    loss = (weights.unsqueeze(1) * wordrank.losses(words, contexts, others)).sum()
    failed = wordrank.losses(words, contexts, others).detach()
    step = wordrank.ranking(words.detach(), contexts.detach(), others.detach(), failed, weights)
    torch.testing.assert_close(step.loss.sum(), loss.detach())
    for tensor, gradient in ((words, step.words), (contexts, step.contexts), (others, step.others)):
        torch.testing.assert_close(gradient, torch.autograd.grad(loss, tensor, retain_graph=True)[0])


def test_xi_makes_the_linear_bound_on_rho_tight_there_and_a_bound_elsewhere():
    ranks = torch.tensor([0.0, 3, 50, 2000]).double()
    for rank in ranks:
        inverse = 1 / wordrank.xi(rank)
        at = (ranks + wordrank.BETA) / wordrank.ALPHA
        bound = torch.log2(1 + inverse) + wordrank.slope_of_rho(inverse) * (at - inverse)
        excess = bound - torch.log2(1 + at)
        assert (excess > -1e-12).all()
        assert excess[ranks == rank].item() == pytest.approx(0, abs=1e-12)


def test_rho_costs_a_step_more_at_the_top_of_the_list():
    slopes = wordrank.slope_of_rho(torch.tensor([1.0, 2, 10, 200])).tolist()
    assert slopes == sorted(slopes, reverse=True)
