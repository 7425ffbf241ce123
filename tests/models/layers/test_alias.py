import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model_serving.models.layers.alias import Alias

WEIGHTS = st.lists(st.lists(st.floats(1e-3, 1e3), max_size=7), min_size=1, max_size=5).filter(any)


@given(WEIGHTS)
def test_the_tables_hold_the_distribution_of_each_segment(segments):
    weights = torch.tensor([weight for segment in segments for weight in segment], dtype=torch.float64)
    offsets = torch.tensor([0, *(len(segment) for segment in segments)]).cumsum(0)
    expected = [weight / sum(segment) for segment in segments for weight in segment]
    assert Alias(weights, offsets).probabilities().tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("weights", [[1.0, 2.0, 3.0, 10.0], [2.0, 2.0, 2.0, 2.0], [5.0, 1e-3, 0.0, 1.0]])
def test_draws_come_as_often_as_their_weights_say(weights):
    random = torch.Generator().manual_seed(1)
    number = 100_000
    drawn = Alias(torch.tensor(weights)).draw(torch.zeros(number, dtype=torch.int64), random)
    shares = torch.bincount(drawn, minlength=4) / number
    for share, weight in zip(shares.tolist(), weights, strict=True):
        expected = weight / sum(weights)
        assert share == pytest.approx(expected, abs=4 * (expected * (1 - expected) / number) ** 0.5 + 1e-9)


def test_each_draw_stays_in_its_segment():
    offsets = torch.tensor([0, 2, 2, 5, 6])
    alias = Alias(torch.tensor([1.0, 9.0, 1.0, 2.0, 3.0, 7.0]), offsets)
    segments = torch.tensor([[0, 2, 3]] * 500)
    drawn = alias.draw(segments, torch.Generator().manual_seed(2))
    assert drawn.shape == segments.shape
    assert ((drawn >= offsets[segments]) & (drawn < offsets[segments + 1])).all()
    assert set(drawn.flatten().tolist()) == {0, 1, 2, 3, 4, 5}
