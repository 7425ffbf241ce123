import math

import pytest
import torch

from model_serving.models.taggers.labelling import Labelling
from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets.corpus import Corpus, TaggedSentence
from model_serving.training.taggers.calibration import calibrate, calibration_error, fit, judge


class Boaster:
    """Finds a span over every character, is right half the time, and says so only at its temperature of truth."""

    def __init__(self, truth):
        self.truth = truth
        self.temperature = 1.0

    def label(self, sentences, how):
        surer = 0.5 ** (self.temperature / self.truth)
        return [Labelling(["S-x"], [[math.log(surer)]], [[0.0]]) for _ in sentences]


RIGHT = TaggedSentence("京", [Span(0, 1, "x")])
OTHER = TaggedSentence("京", [Span(0, 1, "y")])
HALF = [RIGHT, OTHER] * 20


def test_the_error_of_a_few_answers_worked_by_hand():
    judged = [(0.95, True), (0.95, False), (0.32, False), (0.38, True), (1.0, True)]
    assert calibration_error(judged) == pytest.approx((abs(2.9 - 2) + abs(0.7 - 1)) / 5)
    assert calibration_error([(1.0, True), (0.0, False)]) == 0
    assert calibration_error([]) == 0


def test_perfect_confidences_have_little_error_and_boastful_ones_much():
    random = torch.Generator().manual_seed(1)
    sure = torch.rand(20_000, generator=random)
    right = (torch.rand(20_000, generator=random) < sure).tolist()
    assert calibration_error(zip(sure.tolist(), right, strict=True)) < 0.02
    assert calibration_error(zip(sure.sqrt().tolist(), right, strict=True)) > 0.1


def test_a_span_is_right_with_its_kind_or_alone():
    assert judge(Boaster(1), [RIGHT, OTHER], any_kind=False) == [(0.5, True), (0.5, False)]
    assert judge(Boaster(1), [RIGHT, OTHER], any_kind=True) == [(0.5, True), (0.5, True)]


@pytest.mark.parametrize("truth", [0.7, 1.0, 1.8])
def test_the_temperature_of_truth_is_found(truth):
    labeller = Boaster(truth)
    assert fit(labeller, HALF) == labeller.temperature == pytest.approx(truth)


def test_the_card_holds_the_error_on_the_test_part():
    corpus = Corpus([], HALF, [RIGHT] * 4, {}, "")
    record = calibrate(Boaster(1.3), corpus, words_alone=True)
    assert record["temperature"] == pytest.approx(1.3)
    assert record["expected_calibration_error"] == {"own kind": 0.5, "any kind": 0.5}
    assert set(calibrate(Boaster(1.3), corpus, words_alone=False)["expected_calibration_error"]) == {"own kind"}
