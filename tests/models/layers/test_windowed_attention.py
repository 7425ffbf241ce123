import math

import pytest
import torch
from torch.testing import assert_close

from model_serving.models.layers.windowed_attention import (
    LocationScore,
    MonotonicWindow,
    PredictedWindow,
    WholeSource,
    score_of,
)

MASK = torch.arange(6) < torch.tensor([[6], [1], [3]])


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(2)


@pytest.fixture
def values():
    return torch.randn(3, 6, 4)


@pytest.mark.parametrize("kind", ["dot", "general", "concat", "location"])
def test_a_query_is_scored_alone_as_among_others(kind, values):
    score = score_of(kind, 4, 6)
    queries = torch.randn(3, 2, 4)
    together = score.scores(queries, score.key(values))
    assert together.shape == (3, 2, 6)
    for place in range(2):
        assert_close(score.scores(queries[:, place : place + 1], score.key(values)), together[:, place : place + 1])


def test_what_stands_beyond_the_places_is_not_looked_at(values):
    score = LocationScore(4, places=4)
    scores = score.scores(torch.randn(3, 2, 4), score.key(values))
    assert scores[:, :, :4].isfinite().all()
    _, weights = WholeSource()(scores, torch.zeros(3, 2, 4), values, torch.ones(3, 6, dtype=torch.bool), None)
    assert not weights[:, :, 4:].any()
    assert_close(weights.sum(2), torch.ones(3, 2))


def test_a_monotonic_window_goes_with_the_target_and_stays_at_the_end(values):
    scores, place = torch.zeros(3, 2, 6), torch.tensor([[0, 3], [0, 9], [2, 9]])
    context, weights = MonotonicWindow(reach=1)(scores, torch.zeros(3, 2, 4), values, MASK, place)
    third, half = 1 / 3, 1 / 2
    expected = torch.tensor(
        [
            [[half, half, 0, 0, 0, 0], [0, 0, third, third, third, 0]],
            [[1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]],
            [[0, half, half, 0, 0, 0], [0, half, half, 0, 0, 0]],
        ]
    )
    assert_close(weights, expected)
    assert_close(context, expected @ values)


def test_a_predicted_window_weighs_by_a_gaussian_around_its_middle(values):
    window = PredictedWindow(4, reach=2)
    queries, scores = torch.randn(3, 1, 4), torch.randn(3, 1, 6)
    middles = window.predict(queries, MASK)
    context, weights = window(scores, queries, values, MASK, torch.zeros(3, 1))
    for row, length in enumerate((6, 1, 3)):
        middle = middles[row, 0].item()
        assert 0 <= middle <= length - 1
        seen = [place for place in range(length) if abs(place - middle) <= 2]
        shares = scores[row, 0, seen].softmax(0)
        for share, place in zip(shares, seen, strict=True):
            assert_close(weights[row, 0, place], share * math.exp(-((place - middle) ** 2) / (2 * 1.0**2)))
        assert not [weight for place, weight in enumerate(weights[row, 0].tolist()) if weight and place not in seen]
    assert (weights.sum(2) <= 1).all()
    assert_close(context, weights @ values)


def test_the_middle_can_be_learnt(values):
    """The Gaussian is the way by which the place of a window learns, for the window's edges have no slope."""
    window = PredictedWindow(4, reach=2)
    _, weights = window(torch.zeros(3, 1, 6), torch.randn(3, 1, 4), values, MASK, torch.zeros(3, 1))
    for gradient in torch.autograd.grad(weights[0, 0, 0], list(window.parameters())):
        assert gradient.any()
