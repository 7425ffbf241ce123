import torch
from torch import nn
from torch.testing import assert_close

from model_serving.models.generators import gan

PUBLISHED = {"noise": 100, "generator": [256, 512, 1024], "discriminator": [512, 256]}


def layers(network, kind):
    return [layer for layer in network.modules() if isinstance(layer, kind)]


def test_the_layers_are_those_of_the_architecture():
    networks = gan.build(PUBLISHED)
    sizes = [(layer.in_features, layer.out_features) for layer in layers(networks.generator, nn.Linear)]
    assert sizes == [(100, 256), (256, 512), (512, 1024), (1024, 784)]
    sizes = [(layer.in_features, layer.out_features) for layer in layers(networks.discriminator, nn.Linear)]
    assert sizes == [(784, 512), (512, 256), (256, 1)]
    assert {layer.negative_slope for layer in layers(networks, nn.LeakyReLU)} == {0.2}
    dense = sum(before * after + after for before, after in [(100, 256), (256, 512), (512, 1024), (1024, 784)])
    normalised = 2 * (256 + 512 + 1024)
    assert sum(weights.numel() for weights in networks.generator.parameters()) == dense + normalised


def test_running_averages_keep_four_fifths_of_themselves():
    generator = gan.GANGenerator(3, [4])
    (normalisation,) = layers(generator, nn.BatchNorm1d)
    noise = torch.randn(32, 3, generator=torch.Generator().manual_seed(1))
    generator.train()(noise)
    seen = nn.functional.leaky_relu(generator.layers[0](noise), 0.2)
    assert_close(normalisation.running_mean, 0.2 * seen.mean(0))
    assert_close(normalisation.running_var, 0.8 + 0.2 * seen.var(0))


def test_pictures_and_odds_have_their_shapes():
    networks = gan.build(PUBLISHED).eval()
    pictures = networks.generator(torch.randn(3, 100, generator=torch.Generator().manual_seed(2)) * 100)
    assert pictures.shape == (3, 1, 28, 28)
    assert pictures.abs().max() <= 1
    assert networks.discriminator(pictures).shape == (3, 1)
