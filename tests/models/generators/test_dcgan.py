import pytest
import torch
from torch import nn
from torch.testing import assert_close

from model_serving.models.generators import dcgan

SIZES = {"noise": 6, "classes": 3, "generator": [8, 4], "discriminator": [4, 8]}


@pytest.fixture
def networks():
    torch.manual_seed(7)
    return dcgan.build(SIZES).eval()


def test_it_keeps_the_rules_of_the_paper(networks):
    kinds = [type(layer) for layer in networks.modules()]
    assert not {nn.Linear, nn.MaxPool2d, nn.AvgPool2d, nn.AdaptiveAvgPool2d} & set(kinds)
    for network in (networks.generator, networks.discriminator):
        assert any(isinstance(layer, nn.BatchNorm2d) for layer in network.modules())
    drawing = [type(layer) for layer in networks.generator.layers]
    assert (drawing.count(nn.ReLU), drawing[-1], nn.LeakyReLU in drawing) == (2, nn.Tanh, False)
    telling = [type(layer) for layer in networks.discriminator.layers]
    assert (telling.count(nn.LeakyReLU), nn.ReLU in telling) == (2, False)
    strides = [layer.stride for layer in networks.modules() if isinstance(layer, nn.Conv2d | nn.ConvTranspose2d)]
    assert strides.count((2, 2)) == 4


def test_pictures_and_odds_have_their_shapes(networks):
    pictures = networks.generator(torch.randn(5, 9) * 100)
    assert pictures.shape == (5, 1, 28, 28)
    assert pictures.abs().max() <= 1
    assert networks.discriminator(pictures).shape == (5, 3)


def test_the_class_moves_the_picture_and_each_class_has_its_own_odds(networks):
    noise = torch.randn(6)
    first, second = (torch.cat([noise, weights]) for weights in torch.eye(3)[:2])
    pictures = networks.generator(torch.stack([first, second]))
    assert not torch.equal(pictures[0], pictures[1])
    odds = networks.discriminator(pictures)[0]
    last = networks.discriminator.layers[5]
    features = networks.discriminator.layers[:5](pictures)[0]
    assert_close(odds, torch.stack([(kernel * features).sum() for kernel in last.weight]) + last.bias)


def test_first_weights_are_small_normal_ones():
    networks = dcgan.build({"noise": 100, "classes": 10, "generator": [32, 16], "discriminator": [16, 32]})
    kernels = torch.cat([weights.flatten() for weights in networks.parameters() if weights.ndim == 4])
    assert kernels.std().item() == pytest.approx(0.02, rel=0.02)
    assert kernels.mean().item() == pytest.approx(0, abs=2e-4)
