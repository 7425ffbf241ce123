"""From emissions to labels, on emissions that leave no doubt."""

import pytest
import torch

from model_serving.models.layers.linear_chain import Chain
from model_serving.models.taggers import schemes
from model_serving.models.taggers.labelling import POSTERIOR, Labelling, Reading, read_labels
from model_serving.models.taggers.schemes import Span

LABELS = ["O", "S-x", "S-y"]
PLAIN = Reading()
FREE = Chain(torch.zeros(3, 3), torch.zeros(3), torch.zeros(3))


def read(rows, sentences, how=PLAIN, temperature=1.0):
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    return read_labels(torch.tensor(rows), sentences, lengths, FREE, LABELS, how, temperature)


def test_each_sentence_gets_as_many_labels_as_characters():
    rows = [[[0.0, 9, 0], [9.0, 0, 0], [0.0, 0, 9]], [[9.0, 0, 0], [0.0, 9, 0], [0.0, 9, 0]]]
    found = read(rows, ["天地人", "天"])
    assert found == [Labelling(["S-x", "O", "S-y"]), Labelling(["O"])]


@pytest.mark.parametrize(("any_kind", "expected"), [(False, 0.6), (True, 0.9)])
def test_confidence_is_of_the_kind_or_of_all_kinds_together(any_kind, expected):
    shares = [[0.1, 0.6, 0.3]] * 3
    rows = torch.tensor([shares, shares]).log().tolist()
    for found, length in zip(
        read(rows, ["天地人", "天"], Reading(confidence=True, any_kind=any_kind)), (3, 1), strict=True
    ):
        for place in range(length):
            assert found.confidence(Span(place, place + 1, "x")) == expected
        assert len(found.labels) == len(found.opening) == len(found.closing) == length


NAMES = ["O", "B-x", "E-x", "S-x"]
BIOES = Chain(*(scores.double().log() for scores in schemes.allowed(NAMES)))


def test_posterior_decoding_takes_the_likeliest_label_of_each_place(enumerate_paths):
    random = torch.Generator().manual_seed(2)
    for _ in range(20):
        emissions = 2 * torch.randn(1, 4, 4, generator=random)
        paths, scores = enumerate_paths(emissions[0], BIOES)
        shares = torch.stack([scores.softmax(0) @ (paths == label).double() for label in range(4)], 1)
        likeliest = [NAMES[label] for label in shares.argmax(1).tolist()]
        how = Reading(confidence=True, decoding=POSTERIOR)
        (found,) = read_labels(emissions, ["天地人和"], torch.tensor([4]), BIOES, NAMES, how)
        assert found.labels == schemes.mend(likeliest)
        assert all(0 <= found.confidence(span) <= 1 for span in schemes.decode(found.labels))


def test_a_label_that_mending_makes_and_training_never_saw_has_no_confidence():
    names, free = ["O", "B-x"], Chain(torch.zeros(2, 2), torch.zeros(2), torch.zeros(2))
    for any_kind in (False, True):
        how = Reading(confidence=True, any_kind=any_kind, decoding=POSTERIOR)
        (found,) = read_labels(torch.tensor([[[0.0, 9.0]]]), ["天"], torch.tensor([1]), free, names, how)
        assert found.labels == ["S-x"]
        assert found.confidence(Span(0, 1, "x")) == 0


@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_a_temperature_flattens_confidences_and_changes_no_label(temperature):
    rows = torch.tensor([[[0.1, 0.6, 0.3]] * 3]).log()
    (plain,), (other,) = (
        read(rows.tolist(), ["天地人"], Reading(confidence=True), temperature=t) for t in (1.0, temperature)
    )
    assert plain.labels == other.labels
    shares = torch.tensor([0.1, 0.6, 0.3]) ** (1 / temperature)
    assert other.confidence(Span(0, 1, "x")) == pytest.approx((shares[1] / shares.sum()).item(), abs=1e-4)
