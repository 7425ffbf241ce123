"""Longest match, worked by hand."""

from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets.corpus import TaggedSentence
from model_serving.training.taggers.baselines import LongestMatch

TRAIN = [
    TaggedSentence("北京大学生", [Span(0, 4, "nt"), Span(4, 5, "n")]),
    TaggedSentence("北京大", [Span(0, 2, "ns"), Span(2, 3, "a")]),
    TaggedSentence("大大", [Span(0, 1, "d"), Span(1, 2, "a")]),
]


def test_the_longest_known_word_is_taken_with_its_most_frequent_label():
    found = LongestMatch(TRAIN, fallback="x").spans("在北京大学大")
    assert found == [Span(0, 1, "x"), Span(1, 5, "nt"), Span(5, 6, "a")]


def test_without_a_fallback_what_is_unknown_is_passed_over():
    assert LongestMatch(TRAIN).spans("在北京在") == [Span(1, 3, "ns")]


def test_an_empty_sentence_and_an_empty_lexicon_find_nothing():
    assert LongestMatch(TRAIN).spans("") == LongestMatch([]).spans("北京") == []
