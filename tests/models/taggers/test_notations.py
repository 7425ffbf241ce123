import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqeval.metrics.sequence_labeling import get_entities

from model_serving.models.taggers import schemes
from model_serving.models.taggers.notations import NOTATIONS, decode, encode, labels_of
from model_serving.models.taggers.schemes import Span

KINDS = ["LOC", "PER"]


@st.composite
def sentences(draw):
    """Disjoint spans in rising order, and the length of the sentence that they stand in."""
    spans = []
    end = 0
    for gap, size, kind in draw(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4), st.sampled_from(KINDS)))):
        spans.append(Span(end + gap, end + gap + size, kind))
        end += gap + size
    return spans, end + draw(st.integers(0, 3))


@pytest.mark.parametrize(
    ("notation", "labels"),
    [
        ("IO", "O I-PER I-PER I-PER I-LOC O O O I-LOC"),
        ("BIO", "O B-PER I-PER I-PER B-LOC O O O B-LOC"),
        ("BIOES", "O B-PER I-PER E-PER S-LOC O O O S-LOC"),
        ("BMEWO", "O B-PER M-PER E-PER W-LOC O O O W-LOC"),
        ("BMEWO+", "WW_O-PER B-PER M-PER E-PER W-LOC BB_O-LOC MM_O EE_O-LOC W-LOC"),
    ],
)
def test_a_sentence_in_each_notation(notation, labels):
    spans = [Span(1, 4, "PER"), Span(4, 5, "LOC"), Span(8, 9, "LOC")]
    assert encode(spans, 9, notation) == labels.split()
    assert decode(labels.split(), notation) == spans


@pytest.mark.parametrize("kinds", [[], ["LOC"], ["LOC", "ORG", "PER"]])
def test_a_notation_has_as_many_labels_as_the_paper_counts(kinds):
    n = len(kinds)
    counts = {"IO": n + 1, "BIO": 2 * n + 1, "BIOES": 4 * n + 1, "BMEWO": 4 * n + 1, "BMEWO+": 7 * n + 3}
    for notation in NOTATIONS:
        assert len(set(labels_of(kinds, notation))) == len(labels_of(kinds, notation)) == counts[notation]


@pytest.mark.parametrize("notation", NOTATIONS)
@given(sentences())
def test_spans_come_back_and_labels_are_among_those_listed(notation, sentence):
    spans, length = sentence
    labels = encode(spans, length, notation)
    assert len(labels) == length
    assert set(labels) <= set(labels_of(KINDS, notation))
    if notation != "IO":
        assert decode(labels, notation) == spans


@given(sentences())
def test_io_joins_what_touches_and_nothing_else(sentence):
    spans, length = sentence
    joined: list[Span] = []
    for span in spans:
        if joined and joined[-1].end == span.start and joined[-1].label == span.label:
            span = Span(joined.pop().start, span.end, span.label)
        joined.append(span)
    assert decode(encode(spans, length, "IO"), "IO") == joined


@given(sentences())
def test_bioes_is_that_of_the_taggers(sentence):
    spans, length = sentence
    assert encode(spans, length, "BIOES") == schemes.encode(spans, length)


@given(st.lists(st.sampled_from(["O", "B-LOC", "I-LOC", "B-PER", "I-PER"])))
def test_broken_bio_is_read_as_seqeval_reads_it(labels):
    assert decode(labels, "BIO") == [Span(start, end + 1, kind) for kind, start, end in get_entities(labels)]
