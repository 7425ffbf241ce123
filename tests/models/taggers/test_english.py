import pytest

from model_serving.models.languages import language_of
from model_serving.models.taggers.english import sentences
from model_serving.models.taggers.text import LONGEST_SENTENCE


def words(text, clitics=False):
    return [" ".join(sentence.units) for sentence in sentences(text, clitics=clitics)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna saw it. Bob did, too!", ["Anna saw it .", "Bob did , too !"]),
        ('He said "Stop." Then he left.', ['He said " Stop . "', "Then he left ."]),
        ("Mr. J. Smith of the U.S. came.", ["Mr. J. Smith of the U.S. came ."]),
        ("It costs 1,000.50 on 1996-08-22.", ["It costs 1,000.50 on 1996-08-22 ."]),
        ("well-known AT&T's co-op", ["well-known AT&T's co-op"]),
        ("one\ntwo\n\nthree", ["one two", "three"]),
        ("What?! (Yes.) No...", ["What ? !", "( Yes . )", "No ..."]),
        ("'Tis the dogs' 'house'", ["' Tis the dogs' ' house '"]),
        ("", []),
        (" \n\n\t", []),
    ],
)
def test_sentences_and_words(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna's dog doesn't bite", "Anna 's dog does n't bite"),
        ("They'll say I’m late", "They 'll say I 'm late"),
        ("n't 's", "n't ' s"),
    ],
)
def test_clitics_are_words_of_their_own_when_asked(text, expected):
    assert words(text, clitics=True) == [expected]


def test_full_width_letters_fold_and_places_are_those_of_the_text_as_sent():
    (first, second) = sentences("Ａnn ran.\n It’s 5", clitics=False)
    assert (first.units, first.places) == (["Ann", "ran", "."], [0, 4, 7])
    assert (second.units, second.places) == (["It's", "5"], [10, 15])


def test_a_sentence_without_end_is_cut():
    sizes = [len(sentence.units) for sentence in sentences("word " * (2 * LONGEST_SENTENCE + 3), clitics=False)]
    assert sizes == [LONGEST_SENTENCE, LONGEST_SENTENCE, 3]


@pytest.mark.parametrize(
    "text", ["a" * 100_000, "a " * 50_000, "'" * 50_000, "a.b." * 20_000, "1," * 50_000, "-a" * 50_000]
)
def test_long_words_and_texts_take_linear_time(text):
    assert sum(len(unit) for sentence in sentences(text, clitics=True) for unit in sentence.units) == len(
        text.replace(" ", "")
    )


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("北京", "zh"),
        ("Beijing", "en"),
        ("我用Python写程序", "zh"),
        ("The word 北京 means northern capital", "en"),
        ("", "zh"),
        ("42!", "zh"),
        ("Été à Zürich", "en"),
    ],
)
def test_the_language_is_told_by_the_script(text, language):
    assert language_of(text) == language
