import torch
from torch.nn import functional
from torch.testing import assert_close

from model_serving.models.layers.gated_convolution import GatedConvolution, linear, scale_gradient


def test_the_convolution_and_the_gated_linear_unit_of_torch_answer_the_same():
    torch.manual_seed(1)
    layer = GatedConvolution(4, 3)
    states = torch.randn(2, 7, 4)
    convolved = functional.conv1d(states.transpose(1, 2), layer.linear.weight.view(8, 4, 3), layer.linear.bias)
    expected = functional.glu(convolved.transpose(1, 2), dim=2)
    assert expected.shape == (2, 5, 4)
    assert_close(layer(states), expected)


def test_weights_begin_with_the_variance_of_the_paper():
    torch.manual_seed(1)
    gated, plain = GatedConvolution(128, 3, dropout=0.25), linear(400, 300, kept=0.75)
    assert_close(gated.linear.weight.var().item(), 4 * 0.75 / 384, rtol=0.05, atol=0)
    assert_close(plain.weight.var().item(), 0.75 / 400, rtol=0.05, atol=0)
    assert not gated.linear.bias.any()
    assert not plain.bias.any()


def test_values_that_come_in_keep_their_variance_when_the_gates_are_open_half():
    """A unit of variance in leaves a quarter of four times as much: dropout aside, what the paper begins with."""
    torch.manual_seed(1)
    layer = GatedConvolution(64, 3)
    out = layer(torch.randn(50, 20, 64))
    assert 0.7 < out.std().item() < 1.4


def test_a_share_of_the_gradient_goes_on_and_the_values_stay():
    given = torch.tensor([1.0, -2.0], requires_grad=True)
    found = scale_gradient(given, 0.25)
    assert torch.equal(found, given)
    (gradient,) = torch.autograd.grad((found * torch.tensor([4.0, 8.0])).sum(), given)
    assert torch.equal(gradient, torch.tensor([1.0, 2.0]))
