"""N-grams are numbered as a vocabulary of strings would number them."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model_serving.models.ngrams import NGrams, code_points
from model_serving.models.vocabulary import UNKNOWN, Vocabulary

CHARACTERS = st.characters(codec=None) | st.sampled_from("京国\n\U0010ffff\ud800")


@given(st.text(CHARACTERS))
def test_code_points_are_those_of_the_characters(text):
    assert code_points(text).tolist() == [ord(character) for character in text]


@pytest.mark.parametrize("size", [1, 2, 3])
@given(known=st.text(CHARACTERS, max_size=20), text=st.text(CHARACTERS, max_size=20))
def test_a_vocabulary_numbers_them_the_same(size, known, text):
    symbols = list(dict.fromkeys(known[first : first + size] for first in range(len(known) - size + 1)))
    grams, reference = NGrams(symbols, size), Vocabulary(symbols)
    read = "x" * size + text + known
    expected = reference.numbers(read[first : first + size] for first in range(len(read) - size + 1))
    assert grams.numbers(code_points(read)).tolist() == expected
    assert grams.symbols == symbols
    assert len(grams) == len(reference)


def test_without_any_all_are_unknown():
    assert NGrams([], 2).numbers(code_points("北京人")).tolist() == [UNKNOWN] * 2
    assert NGrams([], 2).numbers(code_points("北京人")).dtype == torch.int64
