"""Latin words and numbers stay whole."""

import pytest
import torch

from model_serving.models.taggers.latin import keep_whole

LABELS = ["O", "B-x", "I-x", "E-x", "S-x"]


def permitted(sentences):
    emissions = torch.zeros(len(sentences), max(map(len, sentences)), len(LABELS))
    kept = keep_whole(emissions, sentences, LABELS)
    assert not emissions.isinf().any()
    return [["".join(name[0] for name, score in zip(LABELS, place, strict=True) if score == 0) for place in row]
            for row in kept.tolist()]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("在", ["OBIES"]),
        ("A", ["OBIES"]),
        ("AB", ["OBI", "OIE"]),
        ("ABC", ["OBI", "OI", "OIE"]),
        ("在A3国", ["OBIES", "OBI", "OIE", "OBIES"]),
        ("A-B", ["OBIES", "OBIES", "OBIES"]),
        ("3.5", ["OBIES", "OBIES", "OBIES"]),
    ],
)
def test_no_span_may_begin_or_end_inside_a_run(sentence, expected):
    assert permitted([sentence]) == [expected]


def test_each_row_of_a_batch_is_for_itself():
    assert permitted(["AB", "在在"]) == [["OBI", "OIE"], ["OBIES", "OBIES"]]


def test_without_a_run_nothing_is_copied():
    emissions = torch.zeros(1, 2, len(LABELS))
    assert keep_whole(emissions, ["在国"], LABELS) is emissions
