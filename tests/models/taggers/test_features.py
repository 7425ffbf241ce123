import pytest

from model_serving.models.taggers.features import of_characters, of_words, shape


def test_the_window_of_a_character_worked_by_hand():
    assert of_characters("我在北京2年")[2] == [
        "a我", "b在", "c北", "d京", "e2", "f我在", "g在北", "h北京", "i京2", "j在京",
        "k我在北", "l在北京", "m北京2", "nzzzz0",
    ]  # fmt: skip


def test_outside_the_sentence_stands_the_boundary():
    assert of_characters("京")[0][:6] == ["a\n", "b\n", "c京", "d\n", "e\n", "f\n\n"]
    assert of_characters("京")[0][-1] == "n^^z^^"


def test_the_features_of_a_word_worked_by_hand():
    (_, found, _) = of_words(["In", "Paris", "2003"])
    assert set(found) == {
        "a\n", "bin", "cparis", "d2003", "e\n", "f\n in", "gin paris", "hparis 2003", "i2003 \n", "wParis", "sXxx",
        "tXx Xxx", "uXxx 00", "vXx Xxx 00", "pp", "ppa", "ppar", "ppari", "qs", "qis", "qris", "qaris", "xin", "y003",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("word", "expected"), [("Paris", "Xxx"), ("USA", "XX"), ("1996-08-22", "00-00-00"), ("x86", "x00"), ("!!!!", "!!")]
)
def test_the_shape_of_a_word(word, expected):
    assert shape(word) == expected


@pytest.mark.parametrize("describe", [of_characters, of_words])
def test_each_unit_is_described_once(describe, odd_text):
    units = list(odd_text)
    assert len(describe(units)) == len(units)
    assert all(describe(units))
