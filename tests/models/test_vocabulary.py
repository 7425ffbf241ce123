from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_serving.models.vocabulary import PADDING, UNKNOWN, Vocabulary


def test_padding_and_unknown_are_the_first_two_numbers():
    vocabulary = Vocabulary("京国")
    assert (PADDING, UNKNOWN) == (0, 1)
    assert vocabulary.numbers("国京人") == [3, 2, UNKNOWN]
    assert len(vocabulary) == 4


def test_an_empty_vocabulary_knows_nothing():
    assert len(Vocabulary([])) == 2
    assert Vocabulary([]).numbers("京") == [UNKNOWN]
    assert Vocabulary("京").numbers("") == []


def test_symbols_are_whole_strings():
    assert Vocabulary(["北京", "\n北"]).numbers(["北京", "北", "\n北", ""]) == [2, UNKNOWN, 3, UNKNOWN]


@given(st.lists(st.text(max_size=3), unique=True))
def test_every_symbol_has_its_own_number_below_the_length(symbols):
    vocabulary = Vocabulary(symbols)
    numbers = vocabulary.numbers(symbols)
    assert numbers == [vocabulary.numbers([symbol])[0] for symbol in symbols] == list(range(2, len(vocabulary)))
    assert Vocabulary(vocabulary.symbols).numbers(symbols) == numbers


def test_symbols_are_read_from_an_iterator_once():
    assert Vocabulary(iter("京国")).symbols == ["京", "国"]
    assert Vocabulary.counted(iter("国京京")).symbols == ["京", "国"]


@pytest.mark.parametrize(
    ("options", "symbols"),
    [
        ({}, "cabd"),
        ({"least": 2}, "cab"),
        ({"least": 3}, "c"),
        ({"least": 4}, ""),
        ({"most": 2}, "ca"),
        ({"most": 0}, ""),
        ({"least": 2, "most": 9}, "cab"),
    ],
)
def test_counted_ranks_by_frequency_then_by_symbol(options, symbols):
    assert Vocabulary.counted("bcadcbca", **options).symbols == list(symbols)


@given(st.text("abcdef"), st.integers(1, 4), st.none() | st.integers(0, 6))
def test_counted_keeps_no_rarer_symbol_before_a_more_frequent_one(text, least, most):
    counts = Counter(text)
    kept = Vocabulary.counted(text, least, most).symbols
    frequent = [symbol for symbol in counts if counts[symbol] >= least]
    assert len(kept) == (len(frequent) if most is None else min(most, len(frequent)))
    assert [counts[symbol] for symbol in kept] == sorted((counts[symbol] for symbol in frequent), reverse=True)[:most]
