import numpy as np
import pytest
import torch

from model_serving.models.generators.lenet import LeNet
from model_serving.training.generators.frechet import (
    Seen,
    frechet_distance,
    gaussian_pictures,
    look,
    nearest,
    noise_pictures,
    quality,
)  # fmt: skip


def normal(count, size, seed, scale=1.0, mean=0.0):
    source = torch.Generator().manual_seed(seed)
    return mean + scale * torch.randn(count, size, generator=source, dtype=torch.float64)


def exact(mean, variance, count=4):
    """Points on one line whose mean and (unbiased) variance are as given."""
    points = torch.linspace(-1, 1, count, dtype=torch.float64)[:, None]
    return mean + points * (variance / points.var()) ** 0.5


@pytest.mark.parametrize(
    ("one", "other"), [((0, 1), (3, 1)), ((0, 1), (0, 4)), ((1, 2), (-1, 0.5)), ((2, 0), (2, 0)), ((0, 0), (1, 9))]
)
def test_in_one_dimension_it_is_the_distance_of_means_and_of_deviations(one, other):
    expected = (one[0] - other[0]) ** 2 + (one[1] ** 0.5 - other[1] ** 0.5) ** 2
    assert frechet_distance(exact(*one), exact(*other)) == pytest.approx(expected, abs=1e-6)


def test_in_many_it_is_what_the_eigenvalues_of_the_product_give():
    mixing = normal(6, 6, 1)
    one, other = normal(50, 6, 2, mean=0.3) @ mixing, normal(80, 6, 3, scale=2)
    covariances = [np.cov(features.numpy(), rowvar=False) for features in (one, other)]
    roots = np.linalg.eigvals(covariances[0] @ covariances[1]).real ** 0.5
    means = ((one.mean(0) - other.mean(0)) ** 2).sum().item()
    expected = means + np.trace(covariances[0] + covariances[1]) - 2 * roots.sum()
    assert frechet_distance(one, other) == pytest.approx(expected, rel=1e-8)
    assert frechet_distance(other, one) == pytest.approx(expected, rel=1e-8)


def test_fewer_pictures_than_features_do_no_harm():
    features = normal(5, 20, 4)
    assert frechet_distance(features, features) == pytest.approx(0, abs=1e-5)


def test_shares_are_counted_in_points():
    probabilities = torch.tensor([[0.95, 0.05], [0.6, 0.4], [0.02, 0.98], [0.91, 0.09]])
    features = normal(4, 3, 5)
    found = quality(Seen(features, probabilities), Seen(features, probabilities))
    assert (found.confident, found.rarest, found.commonest) == (75, 25, 75)
    assert found.entropy == pytest.approx(81.128, abs=1e-3)
    assert found.distance == pytest.approx(0, abs=1e-6)


def test_the_classifier_looks_at_all_pictures():
    judge = LeNet(maps=[2, 2], hidden=[4, 3], classes=10).eval()
    seen = look(judge, noise_pictures(1001, 28, 1))
    assert (seen.features.shape, seen.probabilities.shape) == ((1001, 3), (1001, 10))
    assert seen.probabilities.sum(1).allclose(torch.ones(1001))


def test_the_nearest_is_found_by_brute_force():
    ours, others = noise_pictures(7, 4, 1), noise_pictures(30, 4, 2)
    distances = [min(((one.double() - other) / 255).norm().item() for other in others) for one in ours]
    assert nearest(ours, others) == pytest.approx(sorted(distances)[3], rel=1e-5)


def test_the_simple_generator_keeps_mean_and_covariance():
    pixels = (normal(400, 144, 1, scale=12, mean=128).reshape(400, 12, 12)).to(torch.uint8)
    pixels[:, :6] = pixels[:, 6:]  # 72 components hold it all
    drawn = gaussian_pictures(pixels, 4000, seed=1).flatten(1).float()
    real = pixels.flatten(1).float()
    assert (drawn.mean(0) - real.mean(0)).abs().max() < 1.5
    assert drawn.var(0).mean().item() == pytest.approx(real.var(0).mean().item(), rel=0.05)
    assert torch.corrcoef(torch.stack([drawn[:, 0], drawn[:, 72]]))[0, 1] > 0.99
    assert torch.equal(gaussian_pictures(pixels, 5, seed=1), gaussian_pictures(pixels, 5, seed=1))
