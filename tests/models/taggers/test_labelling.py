"""From emissions to labels, on emissions that leave no doubt."""

import pytest
import torch

from model_serving.models.layers.linear_chain import Chain
from model_serving.models.taggers.labelling import Labelling, read_labels
from model_serving.models.taggers.schemes import Span

LABELS = ["O", "S-x", "S-y"]
FREE = Chain(torch.zeros(3, 3), torch.zeros(3), torch.zeros(3))


def read(rows, sentences, **options):
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    return read_labels(torch.tensor(rows), sentences, lengths, FREE, LABELS, **options)


def test_each_sentence_gets_as_many_labels_as_characters():
    rows = [[[0.0, 9, 0], [9.0, 0, 0], [0.0, 0, 9]], [[9.0, 0, 0], [0.0, 9, 0], [0.0, 9, 0]]]
    found = read(rows, ["天地人", "天"], confidence=False, any_kind=False)
    assert found == [Labelling(["S-x", "O", "S-y"]), Labelling(["O"])]


@pytest.mark.parametrize(("any_kind", "expected"), [(False, 0.6), (True, 0.9)])
def test_confidence_is_of_the_kind_or_of_all_kinds_together(any_kind, expected):
    shares = [[0.1, 0.6, 0.3]] * 3
    rows = torch.tensor([shares, shares]).log().tolist()
    for found, length in zip(read(rows, ["天地人", "天"], confidence=True, any_kind=any_kind), (3, 1), strict=True):
        for place in range(length):
            assert found.confidence(Span(place, place + 1, "x")) == expected
        assert len(found.labels) == len(found.opening) == len(found.closing) == length
