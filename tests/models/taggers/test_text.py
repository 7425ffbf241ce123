import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_serving.models.taggers import text as texts
from model_serving.models.taggers.text import LONGEST_SENTENCE, fold, sentences

SAMPLE = [*range(0x10000), *range(0x1F000, 0x20100), *range(0x2F800, 0x2FA20), 0xE0001, 0x10FFFF]
"""The whole basic plane, and of the others emoji, ideographs and the last code point."""

ANY_TEXT = st.text(st.sampled_from("京国a1 \n\t\u3000，,。！!?”）」\u200d😀") | st.characters())


def characters(text):
    return [sentence.units for sentence in sentences(text)]


def assert_covered(text):
    """Each character that is no white space stands in just one sentence, at its place, in order."""
    found = list(sentences(text))
    assert [place for sentence in found for place in sentence.places] == [
        place for place, character in enumerate(text) if not character.isspace()
    ]
    for sentence in found:
        assert sentence.units == "".join(fold(text[place]) for place in sentence.places) != ""
        assert len(sentence.units) <= LONGEST_SENTENCE
        assert "\n" not in text[sentence.places[0] : sentence.places[-1]]


def test_odd_texts_are_covered(odd_text):
    assert_covered(odd_text)


@given(ANY_TEXT)
def test_any_text_is_covered(text):
    assert_covered(text)


@given(st.text(st.sampled_from("京a，, \n。！"), min_size=200, max_size=2000))
def test_long_texts_are_covered(text):
    assert_covered(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\u3000\n", []),
        ("我读书", ["我读书"]),
        ("我读书。你呢？好！", ["我读书。", "你呢?", "好!"]),
        ("他说：“好。”我走了。", ["他说:“好。”", "我走了。"]),
        ("（他笑了。）我走了。", ["(他笑了。)", "我走了。"]),
        ("什么？！真的！！", ["什么?!", "真的!!"]),
        ("第一行\n第二行\r\n第三行", ["第一行", "第二行", "第三行"]),
        ("In New York.\nYes", ["InNewYork.", "Yes"]),
        ("。。开始", ["。。", "开始"]),
    ],
)
def test_sentences_end_at_end_marks_and_line_breaks(text, expected):
    assert characters(text) == expected


def test_places_are_code_points_of_the_text_as_sent():
    first, second = sentences(" 😀Ａ b。\n C")
    assert (first.units, first.places) == ("😀Ab。", [1, 2, 4, 5])
    assert (second.units, second.places) == ("C", [8])


def test_fold_keeps_the_length_of_every_code_point_and_folds_no_further_the_second_time():
    for code in SAMPLE:
        once = fold(chr(code))
        assert len(once) == 1, hex(code)
        assert fold(once) == once, hex(code)


def test_fold_is_compatibility_normalisation_where_that_keeps_the_length():
    for code in SAMPLE:
        normal = unicodedata.normalize("NFKC", chr(code))
        assert fold(chr(code)) == (normal if len(normal) == 1 else chr(code)), hex(code)


def test_fold_neither_makes_nor_loses_white_space():
    for code in SAMPLE:
        assert fold(chr(code)).isspace() == chr(code).isspace(), hex(code)


def test_folding_all_planes_remembers_the_basic_one_at_most():
    fold("".join(map(chr, SAMPLE)))
    assert len(texts._FOLDING) <= 0x10000


@pytest.mark.parametrize(
    ("wide", "narrow"),
    [
        ("".join(map(chr, range(0xFF01, 0xFF5F))), "".join(map(chr, range(0x21, 0x7F)))),
        ("\u3000", " "),
        ("カタ", "ｶﾀ"),
        ("。、「」", "｡､｢｣"),
        ("１９９８年（一月）；Ｎｏ．７", "1998年(一月);No.7"),
    ],
)
def test_full_and_half_width_are_the_same(wide, narrow):
    assert fold(wide) == fold(narrow)
    for times in (1, LONGEST_SENTENCE):
        assert list(sentences(wide * times)) == list(sentences(narrow * times))


@pytest.mark.parametrize("pause", "，,；;、：:")
def test_a_long_sentence_is_cut_after_its_last_pause_in_reach(pause):
    head = "京" * 100 + pause + "国" * 99 + pause
    assert [len(found) for found in characters(head + "人" * 100)] == [len(head), 100]


@pytest.mark.parametrize("size", [LONGEST_SENTENCE - 1, LONGEST_SENTENCE, LONGEST_SENTENCE + 1, 5000])
def test_a_long_sentence_without_pause_is_cut_at_the_limit_and_loses_nothing(size):
    found = characters("京" * size)
    assert [len(sentence) for sentence in found[:-1]] == [LONGEST_SENTENCE] * (len(found) - 1)
    assert sum(map(len, found)) == size


def test_a_sentence_of_the_longest_size_stays_whole():
    text = "京" * 10 + "，" + "国" * (LONGEST_SENTENCE - 12) + "。"
    assert characters(text + text) == [fold(text)] * 2
