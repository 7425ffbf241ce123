import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqeval.metrics import f1_score, precision_score, recall_score
from seqeval.scheme import IOBES

from model_serving.models.taggers.schemes import Span, decode
from model_serving.training.taggers.metrics import SpanScores, span_scores, unknown_recall, unlabelled

LABELS = ["O", *(f"{place}-{kind}" for place in "BIES" for kind in ("LOC", "PER"))]
PAIR_OF_ROWS = st.integers(1, 8).flatmap(
    lambda length: st.tuples(*[st.lists(st.sampled_from(LABELS), min_size=length, max_size=length)] * 2)
)


def test_three_found_two_wanted_one_right():
    gold = [[Span(0, 2, "PER"), Span(3, 5, "LOC")]]
    found = [[Span(0, 2, "PER"), Span(3, 4, "LOC"), Span(6, 7, "ORG")]]
    scores = span_scores(gold, found)
    assert (scores.precision, scores.recall, scores.f1) == pytest.approx((100 / 3, 50, 40))


def test_a_span_is_right_only_with_its_start_end_label_and_sentence():
    gold = [[Span(1, 3, "PER")], []]
    for wrong in (Span(0, 3, "PER"), Span(1, 4, "PER"), Span(1, 3, "LOC")):
        assert span_scores(gold, [[wrong], []]) == SpanScores(0, 0, 0)
    assert span_scores(gold, [[], [Span(1, 3, "PER")]]) == SpanScores(0, 0, 0)
    assert span_scores(gold, gold) == SpanScores(100, 100, 100)


def test_without_spans_on_a_side_scores_are_zero():
    word = Span(0, 1, "x")
    sides: list[tuple[list[list[Span]], list[list[Span]]]] = [
        ([], []),
        ([[]], [[]]),
        ([[word]], [[]]),
        ([[]], [[word]]),
    ]
    for gold, found in sides:
        assert span_scores(gold, found) == SpanScores(0, 0, 0)


def test_a_missing_sentence_is_an_error_and_no_score():
    with pytest.raises(ValueError, match="shorter"):
        span_scores([[], []], [[]])


@settings(max_examples=50)
@given(st.lists(PAIR_OF_ROWS, min_size=1, max_size=5))
def test_seqeval_gives_the_same_scores_for_any_labels(rows):
    gold, found = ([list(row) for row in side] for side in zip(*rows, strict=True))
    scores = span_scores(map(decode, gold), map(decode, found))
    expected = (
        100 * function(gold, found, mode="strict", scheme=IOBES, zero_division=0)
        for function in (precision_score, recall_score, f1_score)
    )
    assert (scores.precision, scores.recall, scores.f1) == pytest.approx(tuple(expected))


def test_words_alone_compare_without_their_tags():
    gold, found = [Span(0, 2, "n"), Span(2, 3, "v")], [Span(0, 2, "nr"), Span(2, 3, "v")]
    assert span_scores([gold], [found]).f1 == 50
    assert span_scores([unlabelled(gold)], [unlabelled(found)]).f1 == 100


def test_recall_of_unknown_words_counts_only_those_not_seen_in_training():
    gold = [("小明读书", [Span(0, 2, "nr"), Span(2, 4, "v")]), ("小红", [Span(0, 2, "nr")])]
    found = [[Span(0, 2, "nr"), Span(2, 3, "v")], [Span(0, 1, "nr")]]
    assert unknown_recall(gold, found, known={"读书"}) == 50
    assert unknown_recall(gold, found, known={"小明"}) == 0
    assert unknown_recall(gold, found, known={"读书", "小红"}) == 100
    assert unknown_recall(gold, found, known={"读书", "小红", "小明"}) == 0
