from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_serving.models.taggers.schemes import Span, across_kinds, allowed, decode, encode, mend

KINDS = ["LOC", "PER", "n-x"]


@st.composite
def spans_and_length(draw):
    """Disjoint spans in rising order, some touching, and the length of the sentence that holds them."""
    spans, end = [], 0
    for gap, size, kind in draw(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5), st.sampled_from(KINDS)))):
        spans.append(Span(end + gap, end + gap + size, kind))
        end += gap + size
    return spans, end + draw(st.integers(0, 3))


@given(spans_and_length())
def test_spans_written_and_read_are_the_same(case):
    spans, length = case
    labels = encode(spans, length)
    assert len(labels) == length
    assert decode(labels) == spans


def test_the_labels_of_a_sentence_by_hand():
    spans = [Span(0, 3, "PER"), Span(4, 6, "LOC"), Span(6, 7, "LOC")]
    assert encode(spans, 8) == ["B-PER", "I-PER", "E-PER", "O", "B-LOC", "E-LOC", "S-LOC", "O"]


@pytest.mark.parametrize("kinds", [1, 3, 44])
def test_n_kinds_take_four_n_plus_one_labels(kinds):
    spans = [Span(0, size, str(kind)) for kind in range(kinds) for size in (1, 2, 3, 4)]
    assert len({label for span in spans for label in encode([span], 5)}) == 4 * kinds + 1


@pytest.mark.parametrize(
    ("labels", "spans"),
    [
        ("", []),
        ("O O", []),
        ("B-LOC", []),
        ("B-LOC I-LOC", []),
        ("E-LOC", []),
        ("I-LOC E-LOC", []),
        ("B-LOC O E-LOC", []),
        ("B-LOC E-PER", []),
        ("B-LOC I-PER E-LOC", []),
        ("B-LOC B-LOC E-LOC", [Span(1, 3, "LOC")]),
        ("B-LOC S-LOC E-LOC", [Span(1, 2, "LOC")]),
        ("B-LOC E-LOC E-LOC", [Span(0, 2, "LOC")]),
        ("B-LOC E-LOC I-LOC", [Span(0, 2, "LOC")]),
        ("S-LOC I-LOC S-LOC", [Span(0, 1, "LOC"), Span(2, 3, "LOC")]),
    ],
)
def test_broken_labels_give_their_complete_spans_only(labels, spans):
    assert decode(labels.split()) == spans


@given(st.lists(st.sampled_from(["O", *(f"{place}-{kind}" for place in "BIES" for kind in KINDS)])))
def test_spans_read_off_any_labels_are_disjoint_and_say_what_their_labels_say(labels):
    spans = decode(labels)
    assert all(before.end <= after.start for before, after in pairwise(spans))
    for start, end, kind in spans:
        assert labels[start:end] == encode([Span(0, end - start, kind)], end - start)


def test_permitted_are_just_the_sequences_that_say_nothing_but_their_spans():
    names = ["O", "B-LOC", "I-LOC", "E-LOC", "S-LOC", "B-PER", "I-PER", "E-PER", "S-PER"]
    chain = allowed(names)
    for length in (1, 2, 3, 4):
        for path in product(range(len(names)), repeat=length):
            moves = all(chain.transitions[before, after] for before, after in pairwise(path))
            labels = [names[label] for label in path]
            permitted = bool(chain.start[path[0]] and moves and chain.end[path[-1]])
            assert permitted == (encode(decode(labels), length) == labels), labels


def test_moves_are_permitted_by_name_whatever_the_order_of_the_labels():
    names = ["E-PER", "B-LOC", "O", "B-PER", "E-LOC"]
    chain = allowed(names)

    def marked(mask):
        return {name for name, mark in zip(names, mask, strict=True) if mark}

    assert {name: marked(row) for name, row in zip(names, chain.transitions, strict=True)} == {
        "E-PER": {"O", "B-LOC", "B-PER"},
        "B-LOC": {"E-LOC"},
        "O": {"O", "B-LOC", "B-PER"},
        "B-PER": {"E-PER"},
        "E-LOC": {"O", "B-LOC", "B-PER"},
    }
    assert marked(chain.start) == {"B-LOC", "O", "B-PER"}
    assert marked(chain.end) == {"E-PER", "O", "E-LOC"}


def test_labels_of_the_same_place_are_found_in_every_kind():
    labels = ["O", "B-x", "E-x", "S-x", "B-y", "I-y", "E-y"]
    found = across_kinds(labels).tolist()
    assert found == [[-1, -1], [1, 4], [2, 6], [3, -1], [1, 4], [-1, 5], [2, 6]]


@pytest.mark.parametrize(
    ("labels", "mended"),
    [
        ("O I-x E-x O", "O B-x E-x O"),
        ("B-x O", "S-x O"),
        ("B-x I-y E-y", "S-x B-y E-y"),
        ("I-x I-x", "B-x E-x"),
        ("B-x B-x E-x", "S-x B-x E-x"),
        ("E-x E-x S-x I-x", "S-x S-x S-x S-x"),
        ("B-x I-x E-x S-y", "B-x I-x E-x S-y"),
    ],
)
def test_broken_labels_are_mended(labels, mended):
    assert mend(labels.split()) == mended.split()


@given(st.lists(st.sampled_from(["O", *(f"{place}-{kind}" for place in "BIES" for kind in "xy")])))
def test_mending_leaves_no_label_out_and_whole_ones_as_they_are(labels):
    mended = mend(labels)
    assert encode(decode(mended), len(mended)) == mended
    assert [label[1:] for label in mended] == [label[1:] for label in labels]
    if encode(decode(labels), len(labels)) == labels:
        assert mended == labels
