import math
from statistics import NormalDist

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from model_serving.models.generators.latent import Draw, interpolate, join, noise_and_class

LARGEST = 2**53 - 1
ROUNDS, WORD = 10, 2**64
MULTIPLIERS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
WEYL = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)

seeds = st.integers(0, LARGEST)
numbers = st.integers(0, 255)


def philox(key, counter):
    """Four words of Philox4x64-10, by the paper's section 4 in whole numbers."""
    words = [counter, 0, 0, 0]
    keys = list(key)
    for _ in range(ROUNDS):
        (high0, low0), (high1, low1) = (divmod(m * words[2 * i], WORD) for i, m in enumerate(MULTIPLIERS))
        words = [high1 ^ words[1] ^ keys[0], low1, high0 ^ words[3] ^ keys[1], low0]
        keys = [(key + step) % WORD for key, step in zip(keys, WEYL, strict=True)]
    return words


@given(seeds, numbers)
def test_the_noise_is_that_of_the_paper(seed, number):
    words = [word for block in (1, 2, 3) for word in philox((seed, number), block)]
    values = [NormalDist().inv_cdf(((word >> 11) + 0.5) / 2**53) for word in words[:10]]
    noise, label = noise_and_class(Draw(seed, number), 10, 7)
    assert_close(noise, torch.tensor(values), rtol=1e-6, atol=1e-7)
    assert label == words[10] % 7


def test_the_noise_is_normal_and_no_two_draws_share_it():
    draws = [Draw(seed, number) for seed in (0, 1, LARGEST) for number in range(200)]
    noise = torch.stack([noise_and_class(draw, 100, 10)[0] for draw in draws])
    shares = torch.special.ndtr(noise.flatten().double()).sort().values
    furthest = (shares - torch.linspace(0, 1, len(shares), dtype=torch.float64)).abs().max()
    assert furthest < 1.63 / len(shares) ** 0.5, "Kolmogorov and Smirnov's test at 0.01"
    assert len({tuple(row.tolist()) for row in noise}) == len(draws)
    across = torch.corrcoef(noise)[~torch.eye(len(draws), dtype=torch.bool)]
    assert across.abs().max() < 0.5


def test_classes_are_drawn_alike():
    labels = torch.tensor([noise_and_class(Draw(3, number), 4, 10)[1] for number in range(3000)])
    counts = torch.bincount(labels, minlength=10)
    assert ((counts - 300) ** 2 / 300).sum() < 21.67, "chi squared with 9 degrees of freedom at 0.01"


@given(seeds, seeds)
def test_a_way_meets_both_ends_exactly(from_seed, to_seed):
    start, end = (noise_and_class(Draw(seed, 0), 100, 1)[0] for seed in (from_seed, to_seed))
    assert torch.equal(interpolate(start, end, 0.0), start)
    assert torch.equal(interpolate(start, end, 1.0), end)


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_a_way_along_the_circle_turns_evenly(share):
    point = interpolate(torch.tensor([2.0, 0.0]), torch.tensor([0.0, 2.0]), share)
    angle = share * math.pi / 2
    assert_close(point, torch.tensor([2 * math.cos(angle), 2 * math.sin(angle)]), atol=1e-6, rtol=0)


def test_a_way_to_itself_stays():
    point = torch.randn(50, generator=torch.Generator().manual_seed(1))
    for share in (0.0, 0.3, 1.0):
        assert torch.equal(interpolate(point, point, share), point)


def test_weights_are_joined_where_there_are_classes():
    noise = torch.ones(2, 3)
    assert join(noise, torch.zeros(2, 4)).shape == (2, 7)
    assert torch.equal(join(noise, torch.ones(2, 1)), noise)
